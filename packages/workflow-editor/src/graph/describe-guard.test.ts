import { describe, expect, it } from "vitest";
import { describeGuard, sayGuard } from "./describe-guard.ts";

const condition = (key: string, operator: string, value?: unknown) => ({
  type: "condition",
  params: { key, operator, ...(value === undefined ? {} : { value }) },
});

describe("describeGuard", () => {
  it.each([
    [condition("$.review_output.action", "!=", "reject"), "action is not reject"],
    [condition("$.trigger.amount", ">", 100), "amount > 100"],
    [condition("$.toolCalls", "empty"), "toolCalls is empty"],
    [condition('$["order id"][0]', "==", null), "order id is null"],
    [{ type: "not", guard: condition("$.a", "exists") }, "not a exists"],
    [{ type: "all", guards: [condition("$.a", "exists"), condition("$.b", "<", 2)] }, "a exists and b < 2"],
    [
      { type: "not", guard: { type: "any", guards: [condition("$.a", "exists"), condition("$.b", "exists")] } },
      "not (a exists or b exists)",
    ],
    [{ type: "cel", params: { expression: "ctx.n > 3" } }, "ctx.n > 3"],
    [undefined, ""],
    [{ type: "later" }, ""],
  ])("%j reads %j", (guard, text) => {
    expect(describeGuard(guard)).toBe(text);
  });

  it("stays short enough for a handle", () => {
    expect(describeGuard({ type: "cel", params: { expression: "x".repeat(200) } })).toHaveLength(34);
  });
});

describe("sayGuard", () => {
  it.each([
    [condition("$.trigger.amount", ">", 100), "amount is greater than 100"],
    [condition("$.trigger.amount", "<=", 5), "amount is at most 5"],
    [condition("$.a_output.category", "in", ["refund", "other"]), "category is one of refund, other"],
    [condition("$.name", "exists"), "name is there"],
    [condition("$.name", "==", "$& and {{value}}"), "name is $& and {{value}}"],
    [{ type: "any", guards: [condition("$.a", "<", 1), condition("$.b", "empty")] }, "a is less than 1 or b is empty"],
    [{ type: "cel", params: { expression: `size(${"x".repeat(60)}) > 1` } }, `size(${"x".repeat(60)}) > 1`],
    [condition("$.a", "later", 1), "a later 1"],
  ])("%j reads %j", (guard, text) => {
    expect(sayGuard(guard)).toBe(text);
  });
});
