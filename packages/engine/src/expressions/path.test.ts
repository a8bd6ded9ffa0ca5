import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { scopeOf } from "../testing/expression-scope.ts";
import { ExpressionSyntaxError } from "./expression-error.ts";
import { isPathText, parsePath } from "./path.ts";
import { readPath, toVariables } from "./scope.ts";

describe("a path", () => {
  it("reads keys, quoted keys, indexes from both ends", () => {
    const scope = scopeOf({ order: { items: [{ n: 1 }, { n: 2 }], "unit price": 9 } });
    expect(readPath(scope, "$.order.items[0].n")).toBe(1);
    expect(readPath(scope, "$.order.items[-1].n")).toBe(2);
    expect(readPath(scope, '$.order["unit price"]')).toBe(9);
    expect(readPath(scope, "$.order.items[5].n")).toBeUndefined();
    expect(readPath(scope, "$.order.items.length")).toBeUndefined();
  });

  it("applies default to what is missing, not to null", () => {
    const scope = scopeOf({ empty: null });
    expect(readPath(scope, '$.nope | default("none (yet)")')).toBe("none (yet)");
    expect(readPath(scope, '$.nope|default({"a":[1]})')).toEqual({ a: [1] });
    expect(readPath(scope, '$.empty | default("x")')).toBeNull();
    expect(readPath(scope, "$.empty | json")).toBe("null");
  });

  it.each([
    ["$.", "column 3"],
    ["$.a..b", "column 5"],
    ["$.a[x]", "column 4"],
    ["$.a b", "column 4"],
    ["$.a | upper", "column 4"],
    ["$.a | default(none)", "not JSON"],
    ['$.a | default("x"', "parenthesis"],
    ["trigger.x", "not a path"],
    ["$config.KEY", "not available"],
  ])("%s is refused, naming the place", (text, message) => {
    expect(() => parsePath(text)).toThrow(ExpressionSyntaxError);
    expect(() => parsePath(text)).toThrow(message);
  });

  it("tells text that starts with a dollar sign from a path", () => {
    expect(["$", "$.a", '$["a"]', "$5.00", "$USD", "costs $.5"].map(isPathText)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("never reaches a prototype, and reads __proto__ as data", () => {
    const scope = scopeOf(
      JSON.parse('{"__proto__":{"x":1},"o":{"__proto__":{"y":2}},"list":[1],"text":"abc"}') as JsonObject,
    ); // cast: JSON
    expect(readPath(scope, "$.o.__proto__.y")).toBe(2);
    expect(readPath(scope, "$.__proto__.x")).toBe(1);
    expect(
      ["$.o.constructor", "$.list.length", "$.list.map", "$.text.length", "$.toString", "$.o.hasOwnProperty"].map(
        (path) => readPath(scope, path),
      ),
    ).toEqual(Array(6).fill(undefined));
  });
});

describe("a bare key", () => {
  it("is the latest writer's: variable, then trigger, then outputs as they happen [004-278]", () => {
    const outputs: [string, JsonObject][] = [
      ["a", { total: 3 }],
      ["b", { total: 4, other: 1 }],
    ];
    expect(readPath(scopeOf({ total: 1 }), "$.total")).toBe(1);
    expect(readPath(scopeOf({ total: 1 }, { total: 2 }), "$.total")).toBe(2);
    expect(readPath(scopeOf({ total: 1 }, { total: 2 }, outputs), "$.total")).toBe(4);
    expect(readPath(scopeOf({}, {}, outputs), "$.a.total")).toBe(3);
    expect(readPath(scopeOf({}, {}, outputs), "$.a_output.total")).toBe(3);
    expect(readPath(scopeOf({}, { total: 2 }), "$.trigger.total")).toBe(2);
  });

  it("that a node's later visit no longer writes is given up", () => {
    const scope = scopeOf({ note: "own" }, {}, [
      ["a", { note: "first" }],
      ["a", { text: "second" }],
    ]);
    expect(readPath(scope, "$.text")).toBe("second");
    expect(readPath(scope, "$.note")).toBe("own");
  });

  it("of a variable wins over the state of that name; inner nodes of composites write none", () => {
    expect(readPath(scopeOf({ draft: "mine" }, {}, [["draft", { text: "x" }]]), "$.draft")).toBe("mine");
    const inner = scopeOf({}, {}, [["draft.llm", { text: "inner" }]]);
    expect(readPath(inner, "$.text")).toBeUndefined();
    expect(readPath(inner, '$["draft.llm_output"].text')).toBe("inner");
  });

  it("stands in CEL's ctx with everything else", () => {
    expect(toVariables(scopeOf({ n: 1 }, { q: 2 }, [["a", { r: 3 }]]))).toMatchObject({
      n: 1,
      q: 2,
      r: 3,
      a: { r: 3 },
      a_output: { r: 3 },
    });
  });
});
