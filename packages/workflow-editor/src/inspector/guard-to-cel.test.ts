import type { Json, JsonObject } from "@oven/contract";
import type { Guard } from "@oven/contract/workflow";
import { checkCel, compileCel, compileGuard } from "@oven/engine";
import { describe, expect, it } from "vitest";
import { guardToCel } from "./guard-to-cel.ts";

const condition = (key: string, operator: string, value?: Json): Guard =>
  ({ type: "condition", params: { key, operator, ...(value === undefined ? {} : { value }) } }) as Guard; // cast: an operator
const amount = condition("$.trigger.amount", ">", 5);
const cel: Guard = { type: "cel", params: { expression: "trigger.vip" } };
const scopes = [
  { trigger: { amount: 7, name: "Ada", limit: 6, vip: true }, values: { tries: 2, "odd key": "x" } },
  { trigger: { amount: 3, name: "Bob", limit: 2.5, vip: false }, values: { tries: 0 } },
  { trigger: { amount: "7" }, values: {} },
  { trigger: {}, values: {} },
];

function answers(test: (scope: Parameters<ReturnType<typeof compileGuard>>[0]) => boolean): (boolean | "error")[] {
  return scopes.map(({ trigger, values }) => {
    try {
      const context = { values: values as JsonObject, writers: new Map(Object.keys(values).map((key) => [key, ""])) }; // cast: JSON
      return test({ context, trigger: trigger as JsonObject, execution: {} }); // cast: JSON
    } catch {
      return "error";
    }
  });
}

describe("a condition as CEL", () => {
  it.each<[string, Guard]>([
    ["trigger.amount > 5", amount],
    ['trigger.name == "Ada"', condition("$.trigger.name", "==", "Ada")],
    ["trigger.amount >= trigger.limit", condition("$.trigger.amount", ">=", "$.trigger.limit")],
    ['ctx["odd key"] == "x"', condition('$["odd key"]', "==", "x")],
    ["has(ctx.tries)", condition("$.tries", "exists")],
    ['trigger.name in ["Ada", "Eve"]', condition("$.trigger.name", "in", ["Ada", "Eve"])],
    ['trigger.name.matches("^A")', condition("$.trigger.name", "matches", "^A")],
    ["(trigger.amount > 5) && (trigger.vip)", { type: "all", guards: [amount, cel] }],
    ["(ctx.tries == 2) || (trigger.amount > 5)", { type: "any", guards: [condition("$.tries", "==", 2), amount] }],
  ])("%s means the same", (text, guard) => {
    expect(guardToCel(guard)).toBe(text);
    expect(checkCel(text)).toEqual({ problem: null });
    const written = answers(compileGuard(guard));
    const computed = answers((scope) => compileCel(text).test(scope));
    // Where types do not fit CEL is stricter: it says so instead of "no".
    computed.forEach((answer, index) => {
      if (answer !== "error") expect(answer, JSON.stringify(scopes[index])).toBe(written[index]);
    });
    expect(computed).toContain(true);
  });

  it.each<[string, Guard]>([
    ["that denies", { type: "not", guard: cel }],
    ["with a template", condition("$.trigger.name", "==", "{{ $.trigger.name }}!")],
    ["with a pipe", condition("$.trigger.amount | default(3)", ">", 1)],
    ["on the configuration", condition("$config.MAX", ">", 1)],
    ["that compares loosely", { ...amount, loose: true } as Guard], // cast: a comparison
    ["in a group with one of these", { type: "all", guards: [cel, { type: "not", guard: amount }] }],
  ])("%s is kept as a remark", (_, guard) => {
    expect(JSON.parse(guardToCel(guard).replace("// ", ""))).toEqual(guard);
    expect(checkCel(guardToCel(guard)).problem).not.toBeNull();
  });
});
