import type { Json } from "@oven/contract";
import { cpuMsOf } from "@oven/testing";
import { describe, expect, it } from "vitest";
import { scopeOf } from "../testing/expression-scope.ts";
import { compileCel } from "./cel.ts";

const thousand = Array.from({ length: 1_000 }, (_, index) => index);
const scope = scopeOf({
  list: thousand,
  long: Array.from({ length: 400_000 }, (_, index) => index),
  text: "a".repeat(1_000_000),
  deep: thousand.map(() => ({ a: [...thousand] })),
  twin: thousand.map(() => ({ a: [...thousand] })),
  few: [1, 2, 3],
  order: { state: "paid", tags: ["new", "gift"], total: 12.5 },
});
const evaluate = (expression: string): Json => compileCel(expression).evaluate(scope);
/** Far above what the limits allow on a busy machine, far below what these would take without them. */
const SOON_MS = 4_000;
const STEPS = "too many steps, or its result is too large";

describe("a hostile CEL expression is refused before it costs much:", () => {
  it.each([
    ["a comprehension in a comprehension", "ctx.list.all(x, ctx.list.all(y, x != y))", "stands inside another"],
    ["one in the list of names of another", "ctx.list.map(x, ctx.few.map(y, y)[0])", "stands inside another"],
    ["one hidden in a bound name", "cel.bind(a, ctx.list, a.map(x, a.map(y, x)))", "stands inside another"],
    ["a long list", "ctx.long.filter(x, x > 1)", "over the limit of 1000"],
    ["a long list behind a choice", "(true ? ctx.long : ctx.list).map(x, x)", "over the limit of 1000"],
    ["a long list made of short ones", "(ctx.list + ctx.list + ctx.list).map(x, x)", "over the limit of 1000"],
    ["a search of a long list per item", "ctx.list.map(x, -1 in ctx.long)", STEPS],
    ["a deep comparison per item", "ctx.list.map(x, ctx.deep == ctx.twin)", STEPS],
    ["a deep search per item", "ctx.list.map(x, {'a': ctx.long} in ctx.deep)", STEPS],
    ["a pattern over long text per item", "ctx.list.map(x, ctx.text.matches('(a|b|ab)*c'))", STEPS],
    ["text that grows", "[ctx.text].map(t, t+t+t+t+t+t+t+t).map(t, t+t+t+t+t+t+t+t).map(t, t+t+t+t+t+t)", STEPS],
    ["a list that grows", "[ctx.long].map(l, l+l+l+l).map(l, l+l+l+l).map(l, l+l+l+l).map(l, l+l+l+l)", STEPS],
    ["everything, a thousand times", "ctx.list.map(x, ctx)", STEPS],
    ["long text, a thousand times", "ctx.list.map(x, ctx.text)", STEPS],
    ["long text joined a thousand times", "ctx.list.map(x, ctx.text).join('')", STEPS],
    ["text split per item", "ctx.list.map(x, ctx.text.split('a'))", STEPS],
    ["text searched per item", "ctx.list.map(x, ctx.text.contains('ab'))", STEPS],
    ["text changed per item", "ctx.list.map(x, ctx.text.lowerAscii())", STEPS],
    ["text measured per item", "ctx.list.map(x, size(ctx.text))", STEPS],
    ["text turned into bytes per item", "ctx.list.map(x, bytes(ctx.text))", STEPS],
    ["text made per item", "ctx.list.map(x, string(x) + ctx.text)", STEPS],
    ["a map's keys with long text", "ctx.map(k, ctx.text + k)", STEPS],
    ["a long chain", `ctx.list${".map(x, x)".repeat(60)}`, "not valid CEL"],
    ["deep parentheses", `${"(".repeat(200)}1${")".repeat(200)}`, "not valid CEL"],
    ["many operators", Array.from({ length: 1_200 }, () => "1").join("+"), "not valid CEL"],
    ["a long expression", `'${"a".repeat(5_000)}'`, "longer than"],
    ["a way to a constructor", "ctx.order.constructor.constructor('return process')()", "not valid CEL"],
    ["a function that counts, to miscount", "ctx.deep == oven_left(ctx.twin)", "no function oven_left"],
    ["a pattern function of ours", "ctx.text.oven_matches('b')", "no function oven_matches"],
    ["a pattern that RE2 refuses", "ctx.order.state.matches('(a+)+\\\\1')", "RE2"],
  ])("%s", async (_name, expression, message) => {
    expect(await cpuMsOf(() => expect(() => evaluate(expression)).toThrow(message))).toBeLessThan(SOON_MS);
  });
});

describe("counting changes nothing else:", () => {
  it.each([
    ["ctx.order.total + 1", 13.5],
    ["1 + 2 + 3 == 6 && ctx.few[0] + ctx.few[1] == 3", true],
    ["'a' + ctx.order.state + 'b'", "apaidb"],
    ["ctx.few + [4] + ctx.few", [1, 2, 3, 4, 1, 2, 3]],
    ["'gift' in ctx.order.tags && !('old' in ctx.order.tags)", true],
    ["'state' in ctx.order && !('nope' in ctx.order)", true],
    ["ctx.order.tags == ['new', 'gift'] && ctx.order.tags != ['new']", true],
    ["{'a': [1, {'b': 2}]} == {'a': [1, {'b': 2}]}", true],
    ["(ctx.few == [1, 2, 3]) == (ctx.order.state == 'paid')", true],
    ["(1 in ctx.few) in [true]", true],
    ["ctx.few.filter(x, x in [1, 3]).map(x, x * 2) == [2, 6]", true],
    ["ctx.few.map(x, string(int(x)) + '!').join(',')", "1!,2!,3!"],
    ["size(ctx.order.state) + size(ctx.few) + ctx.order.tags.size()", 9],
    ["ctx.order.state.matches('^p') ? ctx.order.state.substring(1, 3).upperAscii() : ''", "AI"],
    ["timestamp('2026-01-01T00:00:00Z') + duration('1h')", "2026-01-01T01:00:00.000Z"],
    ["cel.bind(a, ctx.few, a[0] + a[1])", 3],
    ["ctx.list.filter(x, x % 100 == 0).size()", 10],
  ] as [string, Json][])("%s", (expression, result) => {
    expect(evaluate(expression)).toEqual(result);
  });

  it("one evaluation does not spend another's budget", () => {
    for (let i = 0; i < 30; i += 1) expect(evaluate("ctx.text.contains('b')")).toBe(false);
  });

  it("a comparison that failed halfway leaves nothing behind", () => {
    expect(() => evaluate("ctx.order == ctx.nope")).toThrow("nope");
    expect(evaluate("ctx.few == [1, 2, 3]")).toBe(true);
  });
});

it("answers with the one zero that JSON has, so that a value is the same before and after it was stored", () => {
  expect(evaluate("[-0.0, -1.0 * 0.0]")).toEqual([0, 0]);
});
