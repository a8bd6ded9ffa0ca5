import type { JsonObject } from "@oven/contract";
import { describe, expect, test } from "vitest";
import { type Translation, toGuard, toValue } from "./to-values.ts";

const ORDER: JsonObject = {
  type: "object",
  properties: {
    ...{ id: { type: "integer" }, total: { type: "number" }, open: { type: "boolean" }, state: { type: "string" } },
    ...{
      tags: { type: "array", items: { type: "string" } },
      note: { type: ["string", "null"] },
      late: { type: "integer" },
    },
  },
  required: ["id", "total", "open", "state", "tags", "note"],
};
const known: Record<string, JsonObject> = { order: ORDER, n: { type: "integer" }, names: { type: "array" } };
const translation: Translation = {
  types: { of: (name) => known[name], answer: () => undefined },
  isVariable: (name) => name in known || name === "input",
};

describe("a value that is exactly the same", () => {
  test.each([
    ["n", "$.vars.n"],
    ["order['id']", "$.vars.order.id"],
    ['order["two words"]', '$.vars.order["two words"]'],
    ["names[-1]", "$.vars.names[-1]"],
    ["[1, -2.5, None, True, 'a']", [1, -2.5, null, true, "a"]],
    ["{'a': n, 'b': {'c': []}}", { a: "$.vars.n", b: { c: [] } }],
    ["'$.trigger {{ x }}'", { $literal: "$.trigger {{ x }}" }],
    ["(\n  n\n)", "$.vars.n"],
    [String.raw`'it\'s\n'`, "it's\n"],
  ])("%s", (text, value) => expect(toValue(text, translation)).toEqual(value));

  test.each([
    "1.0",
    "n + 1",
    "f'{n}'",
    "input[0]",
    "order['id'][0]",
    "{n: 1}",
    "{'$cel': 1}",
    "other",
    "9007199254740993",
    "b'x'",
    "(1, 2)",
    "1_0",
    "order.id",
  ])("is none of %s", (text) => expect(toValue(text, translation)).toBeUndefined());
});

describe("a condition that decides exactly the same", () => {
  test.each([
    ["n > 2", "ctx.vars.n > 2"],
    ["order['total'] >= n", "ctx.vars.order.total >= ctx.vars.n"],
    ["order['state'] == 'new'", 'ctx.vars.order.state == "new"'],
    [
      "order['open'] and not (n == 1 or n != 3)",
      "(ctx.vars.order.open) && (!((ctx.vars.n == 1) || (ctx.vars.n != 3)))",
    ],
    ["order['tags']", "size(ctx.vars.order.tags) > 0"],
    ["len(names) == 0", "size(ctx.vars.names) == 0"],
    ["order['note'] is not None", "ctx.vars.order.note != null"],
    ["n", "ctx.vars.n != 0"],
  ])("%s", (text, expression) => {
    expect(toGuard(text, translation)).toEqual({ type: "cel", params: { expression } });
  });

  // Of each, Python may decide another way, or fail where a guard is false.
  test.each([
    ...["order['late'] > 1", "input == 1", "input", "order", "1 < n < 3", "n in names", "order['state'] < 'x'"],
    ...["n == 'one'", "order['open'] == 1", "n is 1", "order['note']", "n % 2 == 0", "order['none'] is None"],
  ])("is none of %s", (text) => expect(toGuard(text, translation)).toBeUndefined());
});
