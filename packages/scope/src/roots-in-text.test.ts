import { describe, expect, it } from "vitest";
import { replaceRootPaths, replaceRoots, rootsInCel, rootsInText } from "./roots-in-text.ts";

const keys = (uses: { key: string }[]): string[] => uses.map(({ key }) => key);
const rename = (key: string): string | undefined => ({ a: "b", a_output: "b_output", "x y": "z" })[key];

describe("roots in text", () => {
  it.each([
    ["$.a_output.text", ["a_output"]],
    ['$["a b"].c | default("$.x")', ["a b"]],
    ["to {{ $.a }} and {{$.b.a}}", ["a", "b"]],
    ["\\{{ $.a }} stays, {{ $.b }} not", ["b"]],
    ["$config.KEY and $.a", []],
    ["$config.KEY", []],
    ["costs $.5", []],
    ['{{ $.a | default("}}") }} {{ $.b }}', ["a", "b"]],
    ["{{ $.a }} {{ not closed", ["a"]],
    ["$", []],
    ["$.a.x | default($.b_output.y | default($.c))", ["a", "b_output", "c"]],
    ['{{ $["a b"] | default($["c d"]) }} {{ $config.X | default($.e) }}', ["a b", "c d", "e"]],
  ])("%j reads %j", (text, roots) => {
    expect(keys(rootsInText(text))).toEqual(roots);
  });

  it("in CEL are keys of ctx outside of quotes and comments", () => {
    const text = `ctx.a > 1 && has(ctx.b_output.c) && "ctx.no" != ctx["d e"] && x.ctx.f == 1 && ctx . g // ctx.h`;
    expect(keys(rootsInCel(text))).toEqual(["a", "b_output", "d e", "g"]);
    expect(keys(rootsInCel("'it''s ctx.x' + ctx['q']"))).toEqual(["q"]);
    expect(keys(rootsInCel(`ctx.?a.b + ctx[?"d e"] + ctx . ? g`))).toEqual(["a", "d e", "g"]);
  });

  it.each([
    ["$.a.a", "$.b.a", false],
    ["{{ $.a }}{{$.a_output.a}} a", "{{ $.b }}{{$.b_output.a}} a", false],
    ['$["x y"]', '$["z"]', false],
    ["{{ $.a | default( $.a_output.a ) }}", "{{ $.b | default( $.b_output.a ) }}", false],
    ["ctx.a + ctx.a_output.a", "ctx.b + ctx.b_output.a", true],
    ['ctx["x y"] == "ctx.a"', 'ctx["z"] == "ctx.a"', true],
  ])("%j becomes %j", (text, renamed, isCel) => {
    expect(replaceRoots(text, isCel, rename)).toBe(renamed);
  });

  it("a key with a dash is quoted in CEL, where it would be a subtraction", () => {
    expect(replaceRoots("ctx.a > 1", true, () => "my-key")).toBe('ctx["my-key"] > 1');
    expect(replaceRoots("ctx.?a.orValue(1)", true, () => "b")).toBe("ctx.?b.orValue(1)");
    expect(replaceRoots("ctx.?a.orValue(1)", true, () => "my-key")).toBe('ctx[?"my-key"].orValue(1)');
    expect(replaceRoots("ctx[?'a'].b", true, () => "my-key")).toBe('ctx[?"my-key"].b');
    expect(replaceRootPaths("ctx.?a.b", true, () => ["trigger", "x", "y"])).toBe('trigger[?"x"]["y"].b');
    expect(replaceRoots("$.a", false, () => "my-key")).toBe("$.my-key");
  });
});
