import type { Json } from "@oven/contract";
import type { Guard, Operator } from "@oven/contract/workflow";
import { describe, expect, it } from "vitest";
import { scopeOf } from "../testing/expression-scope.ts";
import { compileGuard } from "./guard.ts";

const scope = scopeOf({
  n: 5,
  text: "hello",
  list: ["a", { k: 1 }],
  object: { k: 1 },
  nothing: null,
  blank: "",
  none: [],
  yes: true,
  numeric: "10",
});
const condition = (key: string, operator: Operator, value?: Json, loose?: boolean): Guard => ({
  type: "condition",
  params: { key, operator, ...(value === undefined ? {} : { value }) },
  ...(loose ? { loose } : {}),
});
const test = (guard: Guard): boolean => compileGuard(guard)(scope);

describe("a guard", () => {
  it.each<[string, Operator, Json | undefined, boolean]>([
    ["$.n", "==", 5, true],
    ["$.n", "==", "5", false],
    ["$.n", "!=", 4, true],
    ["$.n", ">", 4, true],
    ["$.n", ">=", 5, true],
    ["$.n", "<", 5, false],
    ["$.n", "<=", 5, true],
    ["$.text", ">", "hallo", true],
    ["$.n", ">", "4", false],
    ["$.object", "==", { k: 1 }, true],
    ["$.text", "contains", "ell", true],
    ["$.list", "contains", { k: 1 }, true],
    ["$.object", "contains", "k", true],
    ["$.object", "contains", "toString", false],
    ["$.text", "in", ["hello"], true],
    ["$.text", "matches", "^h.*o$", true],
    ["$.text", "matches", "^o", false],
    ["$.nothing", "exists", undefined, true],
    ["$.nothing", "empty", undefined, true],
    ["$.blank", "empty", undefined, true],
    ["$.none", "empty", undefined, true],
    ["$.n", "empty", undefined, false],
    ["$.n", "==", "$.object.k", false],
    ["$.object.k", "==", "$.list[1].k", true],
  ])("%s %s %j is %s", (key, operator, value, expected) => {
    expect(test(condition(key, operator, value))).toBe(expected);
  });

  it("on a missing value is false, except empty", () => {
    const operators: Operator[] = ["==", "!=", ">", "<", ">=", "<=", "contains", "in", "matches"];
    expect(operators.map((operator) => test(condition("$.nope", operator, operator === "in" ? [null] : "x")))).toEqual(
      operators.map(() => false),
    );
    expect(test(condition("$.nope", "exists"))).toBe(false);
    expect(test(condition("$.nope", "empty"))).toBe(true);
    expect(test(condition("$.n", "!=", "$.nope"))).toBe(false);
  });

  it("compares loosely only when it says so", () => {
    expect(test(condition("$.numeric", "==", 10))).toBe(false);
    expect(test(condition("$.numeric", "==", 10, true))).toBe(true);
    expect(test(condition("$.numeric", ">", 9, true))).toBe(true);
    expect(test(condition("$.yes", "==", "true", true))).toBe(true);
  });

  it("combines with all, any, not and CEL", () => {
    const yes = condition("$.n", "==", 5);
    const no = condition("$.n", "==", 6);
    expect(test({ type: "all", guards: [yes, no] })).toBe(false);
    expect(test({ type: "any", guards: [no, yes] })).toBe(true);
    expect(test({ type: "not", guard: no })).toBe(true);
    expect(test({ type: "cel", params: { expression: "ctx.n > 4 && ctx.list.exists(x, x == 'a')" } })).toBe(true);
    expect(test({ type: "cel", params: { expression: "ctx.nope.deep > 4" } })).toBe(false);
  });

  it("answers a pattern that would make the JavaScript engine backtrack for years", () => {
    const evil = scopeOf({ text: `${"a".repeat(5_000)}!` });
    expect(compileGuard(condition("$.text", "matches", "^(a+)+$"))(evil)).toBe(false);
    expect(compileGuard({ type: "cel", params: { expression: 'ctx.text.matches("^(a+)+$")' } })(evil)).toBe(false);
  });

  it.each<[Guard, string]>([
    [condition("$.n", "=="), "needs a value"],
    [condition("$.text", "matches", "(?=a)"), "RE2"],
    [condition("n", "==", 1), "not a path"],
    [{ type: "cel", params: { expression: "ctx.a.exists(x, ctx.b.exists(y, y == x))" } }, "inside another"],
    [{ type: "cel", params: { expression: "nope > 1" } }, "Unknown variable"],
    [{ type: "cel", params: { expression: "1 + 'a'" } }, "no such overload"],
  ])("%j is refused when it is compiled", (guard, message) => {
    expect(() => compileGuard(guard)).toThrow(message);
  });

  it("fails loudly on CEL over its limits or of the wrong type", () => {
    const long = scopeOf({ list: Array.from({ length: 1_001 }, () => 1), n: "x" });
    const run = (expression: string) => () => compileGuard({ type: "cel", params: { expression } })(long);
    expect(run("ctx.list.exists(x, x == 2)")).toThrow("over the limit of 1000");
    expect(run("ctx.n")).toThrow("not true or false");
    expect(run("ctx.n > 1")).toThrow("no such overload");
    expect(() => compileGuard({ type: "cel", params: { expression: `1 == ${"1+".repeat(2_001)}1` } })).toThrow(
      "longer than",
    );
  });
});
