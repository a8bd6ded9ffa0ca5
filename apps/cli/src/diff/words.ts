import { toVisible } from "../visible-text.ts";
import { toEntries } from "./change-lines.ts";
import type { Difference } from "./compare-parts.ts";

/** The difference for a terminal. */
export function toWords({ workflows, others, same }: Difference): string {
  const lines: string[] = [];
  for (const diff of [...workflows, ...others]) {
    lines.push(toVisible(`${diff.change.padEnd(7)}  ${diff.kind} ${diff.name}`));
    for (const { sign, words, lines: own } of toEntries(diff)) {
      lines.push(toVisible(`  ${sign} ${words}`));
      for (const line of own) lines.push(toVisible(`      ${line.sign} ${line.text}`));
    }
    lines.push("");
  }
  const count = workflows.length + others.length;
  lines.push(count === 0 ? `No difference (${same} compared).` : `${count} differ, ${same} are the same.`);
  return `${lines.join("\n")}\n`;
}
