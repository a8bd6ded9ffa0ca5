import type { Json, JsonObject } from "@oven/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scopeOf } from "../testing/expression-scope.ts";
import { ExpressionSyntaxError } from "./expression-error.ts";
import { compileValue } from "./value.ts";

const scope = scopeOf({ n: 2, text: "a {{ $.n }} $.n", list: [1, { b: null }], nothing: null, yes: true });
const resolve = (value: Json): Json => compileValue(value).resolve(scope);

describe("a value", () => {
  it("that is a whole path keeps its type; inside text it is rendered", () => {
    expect(resolve("$.list")).toEqual([1, { b: null }]);
    expect(resolve("{{ $.n }}")).toBe("2");
    expect(resolve("{{$.list}} and {{ $.yes }}{{ $.nothing }}!")).toBe('[1,{"b":null}] and true!');
    expect(resolve({ a: ["$.n", { b: "{{ $.n }}x" }], c: 1 })).toEqual({ a: [2, { b: "2x" }], c: 1 });
  });

  it("that was rendered is never rendered again", () => {
    expect(resolve("{{ $.text }}")).toBe("a {{ $.n }} $.n");
    expect(resolve("$.text")).toBe("a {{ $.n }} $.n");
  });

  it("is taken as it stands under $literal and after a backslash", () => {
    expect(resolve({ $literal: { a: "$.n", b: "{{ $.n }}" } })).toEqual({ a: "$.n", b: "{{ $.n }}" });
    expect(resolve("\\{{ $.n }} {{ $.n }}")).toBe("{{ $.n }} 2");
  });

  it("is computed by $cel, mixing JSON numbers and integer literals", () => {
    expect(resolve({ $cel: "ctx.n + 1" })).toBe(3);
    expect(resolve({ $cel: "ctx.n * 1.5 + 1" })).toBe(4);
    expect(resolve({ $cel: "{'double': ctx.list.filter(x, x == 1).map(x, x * 2), 'size': size(ctx.list)}" })).toEqual({
      double: [2],
      size: 2,
    });
  });

  it("fails naming the path that is missing, unless it has a default", () => {
    expect(() => resolve({ a: "$.nope.deep" })).toThrow("$.nope.deep has no value");
    expect(() => resolve("Hi {{ $.nope }}")).toThrow("$.nope has no value");
    expect(resolve('Hi {{ $.nope | default("}} you") }}')).toBe("Hi }} you");
  });

  it.each([
    [{ $cel: "1 +" }, "cel"],
    [{ $cel: "ctx.a", b: 1 }, "value"],
    [{ $literal: 1, b: 1 }, "value"],
    ["{{ $.a", "template"],
    ["{{ trigger.a }}", "path"],
    ["$.a | full | compressed", "path"],
  ])("%j is refused by the rule %s", (value, rule) => {
    try {
      compileValue(value as Json);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ExpressionSyntaxError);
      expect((error as ExpressionSyntaxError).rule).toBe(rule);
    }
  });

  it("without expressions is the identity, __proto__ included", () => {
    const plain = fc
      .jsonValue({ maxDepth: 4 })
      .map((value) => JSON.parse(JSON.stringify(value)) as Json)
      .filter((value) => !/\{\{|"\$/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(
        plain,
        (value) => void expect(JSON.stringify(compileValue(value).resolve(scope))).toBe(JSON.stringify(value)),
      ),
    );
    const odd = JSON.parse('{"__proto__":{"polluted":1},"a":1}') as JsonObject; // cast: JSON
    expect(JSON.stringify(compileValue(odd).resolve(scope))).toBe(JSON.stringify(odd));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("data of any kind reaches the text byte-equal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(compileValue("<{{ $.data }}>").resolve(scopeOf({ data: text }))).toBe(`<${text}>`);
      }),
    );
  });
});
