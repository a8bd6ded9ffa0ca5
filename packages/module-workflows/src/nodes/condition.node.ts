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
  docs: [
    "Compares a value of the run with another one: what follows is led on by True or False.",
    "",
    "`key` is the path of the left side, such as `$.fetch_output.total`; it may stand without `$.`. `result` is the answer. A branch of a Choice does the same without a step of its own.",
  ].join("\n"),
  category: "core",
  kind: "flow",
  effect: "pure",
  isLocal: true,
  reads: ({ key }) => [toPath(String(key ?? ""))],
  input: z.strictObject({
    key: z.string().min(1).describe("The value to compare"),
    operator: z.enum(OPERATORS),
    value: JsonSchema.optional().describe("What it is compared with"),
  }),
  paths: ["key"],
  output: z.strictObject({ result: z.boolean() }),
  outcomes: [
    { id: "true", title: "True", guard: { key: "output.result", operator: "==", value: true } },
    { id: "false", title: "False" },
  ],
  async run({ input, read }) {
    const actual = read(toPath(input.key));
    if (input.operator === "exists") return done({ result: actual !== undefined });
    if (actual === undefined) return done({ result: input.operator === "empty" });
    return done({ result: compare(input.operator, actual, input.value ?? null, false) });
  },
});

function toPath(key: string): string {
  return key.startsWith("$") ? key : `$.${key}`;
}
