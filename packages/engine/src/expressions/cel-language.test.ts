import { expect, it } from "vitest";
import { scopeOf } from "../testing/expression-scope.ts";
import { compileCel } from "./cel.ts";
import { celLanguage, checkCel } from "./cel-language.ts";

/** Texts that are read when an expression is checked. */
const TEXTS: Record<string, string> = { timestamp: "'2026-01-01T00:00:00Z'", duration: "'1s'" };
/** A value of each type as it is written. */
const SAMPLES: Record<string, string> = {
  any: "dyn(1)",
  string: "'a'",
  bool: "true",
  int: "1",
  uint: "uint(1)",
  double: "1.5",
  bytes: "bytes('a')",
  list: "['a']",
  map: "{'a': 1}",
  null: "null",
  type: "int",
  timestamp: "timestamp(0)",
  duration: "duration('1s')",
  optional: "optional.of(1)",
  cel: "cel",
  field: "ctx.a",
  x: "x",
  condition: "true",
  value: "1",
  expression: "x",
};

it("names only what an expression can call, with how it is written and what it is for", () => {
  const { functions } = celLanguage();
  expect(functions.length).toBeGreaterThan(90);
  for (const { name, receiver, form, description } of functions) {
    expect(description, form).not.toBe("");
    const takes = form.slice(name.length + 1, -1);
    const values =
      takes === ""
        ? []
        : takes.split(", ").map((type) => (type === "string" ? TEXTS[name] : undefined) ?? SAMPLES[type] ?? type);
    const isNamespace = receiver === "optional" && (name === "of" || name === "none");
    const on = receiver === null ? "" : `${isNamespace ? "optional" : (SAMPLES[receiver] ?? receiver)}.`;
    const expression = `${on}${name}(${values.join(", ")})`;
    expect(() => compileCel(expression), expression).not.toThrow();
    // What is offered is also there when it is computed.
    if (receiver === "optional")
      expect(() => compileCel(expression).test(scopeOf()), expression).not.toThrow(/Unknown/);
  }
});

it("names the roots that a condition can begin with, and none of the engine's own functions", () => {
  const { variables, functions } = celLanguage();
  for (const { name } of variables) expect(checkCel(`${name} == 1`), name).toEqual({ problem: null });
  expect(functions.filter(({ name }) => name.startsWith("oven_"))).toEqual([]);
  expect(functions.find(({ form }) => form === "all(x, condition)")).toMatchObject({
    receiver: "list",
    returns: "bool",
  });
});

it.each([
  ["ctx.a +", 7, 7, "Unexpected token: EOF"],
  ["ctx.total > nope", 12, 16, "Unknown variable: nope"],
  ["1 + 'a'", 0, 7, "no such overload: int + string"],
  ["true && shout(ctx.a)", 8, 20, "found no matching overload for 'shout(dyn)'"],
  ["ctx.l.map(x, ctx.m.map(y, y))", 13, 28, "The comprehension .map(…) stands inside another one"],
  ["1 + oven_spend(2)", 4, 17, "There is no function oven_spend"],
])("says where %s is wrong, and why", (expression, start, end, message) => {
  expect(checkCel(expression).problem).toMatchObject({ start, end, message, fix: expect.stringMatching(/./) });
});

it("never shows what an expression is rewritten to", () => {
  // Deep enough only once what is counted stands around every argument.
  const expression = `${"string(".repeat(25)}ctx.a${")".repeat(25)}`;
  const { problem } = checkCel(expression);
  expect(problem?.message).toMatch(/not valid CEL/);
  expect(problem?.message).not.toContain("oven_");
  expect(problem).toMatchObject({ start: 0, end: expression.length });
});
