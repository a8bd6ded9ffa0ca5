import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { compareParts, type Difference } from "./diff/compare-parts.ts";
import { readParts } from "./diff/read-parts.ts";
import { toWords } from "./diff/words.ts";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = {
  html: { type: "string" },
  json: { type: "boolean", default: false },
  title: { type: "string" },
} as const;

/** What differs between two promotion files or two folders, without a server. */
export const diffCommand: OvenCommand = {
  name: "diff",
  usage:
    "diff <file | folder> <file | folder> [--html page.html] [--title text] [--json]   (exit code 0: the same, 1: they differ, 2: they could not be compared)",
  async run(args, write) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [one, other, ...others] = positionals;
    if (one === undefined || other === undefined || others.length > 0)
      throw new Error(`usage: oven ${diffCommand.usage}`);
    const [from, to] = await Promise.all([readParts(one), readParts(other)]);
    const difference = compareParts(from, to);
    write(values.json ? toJson(difference) : toWords(difference));
    if (values.html !== undefined) {
      const { toPage } = await import("./diff/page.ts");
      await writeFile(values.html, await toPage(difference, values.title ?? `${one} → ${other}`));
    }
    return difference.workflows.length + difference.others.length === 0 ? 0 : 1;
  },
};

function toJson({ workflows, others, same }: Difference): string {
  const differing = [...workflows.map(({ from: _from, to: _to, ...diff }) => diff), ...others];
  return `${JSON.stringify({ same, differing }, null, 2)}\n`;
}
