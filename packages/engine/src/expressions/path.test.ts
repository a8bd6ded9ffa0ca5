import type { JsonObject } from "@oven/contract";
import { type Definition, isPathText } from "@oven/contract/workflow";
import { describe, expect, it } from "vitest";
import { compileAction } from "../compile/action.ts";
import { scopeOf } from "../testing/expression-scope.ts";
import { configKeysOf } from "./config-keys.ts";
import { ExpressionSyntaxError } from "./expression-error.ts";
import { parsePath } from "./path.ts";
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

  it("takes another path as default, which may have its own", () => {
    const given = scopeOf({ second: { text: "two" }, third: 3, empty: null });
    expect(readPath(given, "$.first.text | default($.second.text)")).toBe("two");
    expect(readPath(given, '$.first | default($.nope | default("(none)"))')).toBe("(none)");
    expect(readPath(given, "$.first | default($.nope) | default($.third)")).toBe(3);
    expect(readPath(given, '$.empty | default($["second"])')).toBeNull();
    expect(readPath(given, "$.first | default($.second) | json")).toBe('{"text":"two"}');
    expect(readPath(given, "$.first | default($.nope)")).toBeUndefined();
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
    ["$.a | default(none)", "neither JSON nor a path"],
    ["$.a | default(7615917337495251231)", "which would be changed"],
    ["$.a | default($.b c)", "a segment"],
    ["$.a | default($.b | full)", "no | full in a default"],
    ['$.a | default("x"', "parenthesis"],
    ["trigger.x", "not a path"],
    ["$config.", "column 9"],
    ["$config", "a configuration key"],
    ["$config[0]", "a configuration key"],
    ["$.a | full | json", "nothing after | full"],
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

describe("a configuration value", () => {
  const values: JsonObject = { LIMIT: 3, SHOP: { region: "eu" }, OFF: null };
  const scope = { ...scopeOf({ LIMIT: "a variable" }), config: (key: string) => values[key] };

  it("is read by its key, with what follows it and defaults", () => {
    expect(readPath(scope, "$config.LIMIT")).toBe(3);
    expect(readPath(scope, "$config.SHOP.region")).toBe("eu");
    expect(readPath(scope, "$config.OFF")).toBeNull();
    expect(readPath(scope, "$config.NOPE | default(7)")).toBe(7);
    expect(readPath(scope, "$.LIMIT")).toBe("a variable");
  });

  it("is missing where there is no configuration, and never a variable's", () => {
    expect(readPath(scopeOf({ LIMIT: 1, $config: { LIMIT: 2 } }), "$config.LIMIT")).toBeUndefined();
  });

  it("cannot be written", () => {
    const assign = { type: "assign" as const, params: { path: "$config.LIMIT", value: 1 } };
    expect(() => compileAction(assign)).toThrow("read-only");
  });

  it("is found in a definition wherever an expression may stand, and nowhere else", () => {
    const definition: Definition = {
      initial: "a",
      context: { text: "$config.DATA" },
      meta: { note: "$config.META" },
      states: {
        a: {
          label: "$config.LABEL",
          invoke: {
            src: "core.transform",
            input: {
              mapping: {
                whole: "$config.A.deep | default(1)",
                other: "$.given | default($config.G)",
                text: "{{ $config.B }} \\{{ $config.ESCAPED }} {{$config.A}}",
              },
              taken: { $literal: "$config.LITERAL" },
            },
            onDone: {
              target: "b",
              guard: { type: "condition", params: { key: "$.n", operator: ">", value: "$config.C" } },
            },
          },
        },
        b: { type: "final", output: ["$config.D", "costs $config.E", "{{ $config.F"] },
      },
    };
    expect(configKeysOf(definition).toSorted()).toEqual(["A", "B", "C", "D", "G"]);
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
