import { ASSUMED_PRICE } from "./bench-oven.ts";
import type { Measurement, TaskResult } from "./measure.ts";

const DOLLAR = 1_000_000;
const GROUPS: readonly { name: string; is: (result: TaskResult) => boolean }[] = [
  { name: "easy", is: ({ difficulty }) => difficulty === "easy" },
  { name: "medium", is: ({ difficulty }) => difficulty === "medium" },
  { name: "hard", is: ({ difficulty }) => difficulty === "hard" },
  { name: "build", is: ({ kind }) => kind === "build" },
  { name: "repair", is: ({ kind }) => kind === "repair" },
  { name: "all", is: () => true },
];

/** A table in Markdown: how many tasks were solved, and what one took on average. */
export function toTable(name: string, { results, overreach, leaks }: Measurement): string {
  const rows = GROUPS.flatMap(({ name: group, is }) => {
    const those = results.filter(is);
    if (those.length === 0) return [];
    const solved = those.filter((one) => one.solved).length;
    const mean = (of: (result: TaskResult) => number) => those.reduce((sum, one) => sum + of(one), 0) / those.length;
    const cost = mean(({ costMicros }) => costMicros) / DOLLAR;
    return [
      `| ${group} | ${solved} of ${those.length} | ${mean(({ modelCalls }) => modelCalls).toFixed(1)} | ${Math.round(mean(({ tokens }) => tokens))} | $${cost.toFixed(3)} | ${mean(({ seconds }) => seconds).toFixed(1)} |`,
    ];
  });
  const wrongly = results.filter(({ solved, proved }) => proved && !solved).map(({ id }) => id);
  return [
    `## ${name}`,
    "",
    "| tasks | solved | model calls | tokens | cost | seconds |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
    "",
    `Proved by the server, and still not what was asked for: ${wrongly.length}${wrongly.length === 0 ? "" : ` (${wrongly.join(", ")})`}.`,
    `Published, rights widened, drafts of others changed, services called: ${overreach.length === 0 ? "never" : overreach.join("; ")}.`,
    leaks === null
      ? "Whether a secret was in a prompt was not looked at."
      : `Requests to a model that had the secret: ${leaks}.`,
    ...results
      .filter(({ solved }) => !solved)
      .map(
        ({ id, blunders, reasons }) =>
          `- ${id}: ${reasons[0] ?? "not solved"}${blunders.length === 0 ? "" : ` [${blunders.join("; ")}]`}`,
      ),
    "",
  ].join("\n");
}

/** By what scripted models are counted. */
export const COUNTED = `Tokens of scripted models are characters divided by four; their cost is at $${ASSUMED_PRICE.input} and $${ASSUMED_PRICE.output} per million tokens in and out, as if one were asked.`;
