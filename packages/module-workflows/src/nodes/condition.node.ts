import { JsonSchema } from "@oven/contract";
import { OPERATORS } from "@oven/contract/workflow";
import { compare } from "@oven/engine";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";

export const conditionNode = defineNode({
  id: "core.condition",
  version: 1,
  title: "Condition",
  synonyms: ["if", "branch", "switch", "router", "filter"],
  docs: "Compares a value of the run with another one and answers `result`. `key` is a path without `$.`, such as `fetch_output.total`. Most graphs need no node for this: put a guard on the transition.",
  category: "core",
  kind: "flow",
  effect: "pure",
  isLocal: true,
  input: z.strictObject({
    key: z.string().min(1).describe("Path of the left side, without `$.`"),
    operator: z.enum(OPERATORS),
    value: JsonSchema.optional().describe("The right side"),
  }),
  output: z.strictObject({ result: z.boolean() }),
  outcomes: [
    { id: "true", title: "True", guard: { key: "output.result", operator: "==", value: true } },
    { id: "false", title: "False" },
  ],
  async run({ input, read }) {
    const actual = read(input.key.startsWith("$") ? input.key : `$.${input.key}`);
    if (input.operator === "exists") return done({ result: actual !== undefined });
    if (actual === undefined) return done({ result: input.operator === "empty" });
    return done({ result: compare(input.operator, actual, input.value ?? null, false) });
  },
});
