import type { Json, JsonObject } from "@oven/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileAction } from "../compile/action.ts";
import type { ContextOp, ContextSnapshot, StoredOutput } from "../store.ts";
import { scopeOf } from "../testing/expression-scope.ts";
import { toAssignOps } from "./assign.ts";
import { applyOps, foldLog, fromSnapshot, initialContext, toSnapshot } from "./context.ts";

const none = (): Json => null;
const stored = (snapshot: ContextSnapshot): ContextSnapshot => JSON.parse(JSON.stringify(snapshot));
const apply = (values: JsonObject, ...ops: ContextOp[]) => applyOps(initialContext(values, {}), ops, none).values;

describe("a context patch", () => {
  it("adds, replaces, removes and appends without touching what it came from", () => {
    const before = initialContext({ a: { list: [1, 2], keep: {} }, b: 1 }, {});
    const after = applyOps(
      before,
      [
        { op: "add", path: "/a/list/-", value: 3 },
        { op: "replace", path: "/b", value: 2 },
        { op: "remove", path: "/a/list/0" },
      ],
      none,
    );
    expect(after.values).toMatchObject({ a: { list: [2, 3] }, b: 2 });
    expect(before.values).toMatchObject({ a: { list: [1, 2] }, b: 1 });
    expect((after.values.a as JsonObject).keep).toBe((before.values.a as JsonObject).keep);
  });

  it("writes __proto__ as data and pollutes nothing", () => {
    const values = apply({}, { op: "add", path: "/__proto__", value: { polluted: true } });
    expect(Object.hasOwn(values, "__proto__")).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(
      Object.hasOwn(
        fromSnapshot(
          JSON.parse(
            JSON.stringify(
              toSnapshot(applyOps(initialContext({}, {}), [{ op: "add", path: "/__proto__", value: 1 }], none), 1),
            ),
          ),
        ).values,
        "__proto__",
      ),
    ).toBe(true);
  });

  it.each([
    ["/a/x/y", "no key x"],
    ["/a/5", "beyond"],
    ["a", "start with"],
    ["/b/c", "neither"],
    ["/a/01", "not an index"],
  ])("at %s is refused with the reason", (path, message) => {
    expect(() => apply(path.startsWith("/a/x") ? { a: {} } : { a: [1], b: 1 }, { op: "add", path, value: 1 })).toThrow(
      message,
    );
  });

  it("refers to an output instead of holding it", () => {
    const log = [{ seq: 1, ops: [{ op: "output" as const, path: "/a_output", nodeId: "a", visit: 2 }] }];
    expect(
      foldLog(initialContext({}, {}), log, [
        { nodeId: "a", visit: 1, output: 1 },
        { nodeId: "a", visit: 2, output: { t: 2 } },
      ]).values.a_output,
    ).toEqual({ t: 2 });
    expect(() => foldLog(initialContext({}, {}), log, [])).toThrow("not stored");
  });

  it("folds to the same from any snapshot on the way", () => {
    const step = fc.oneof(
      fc.record({
        op: fc.constant("add" as const),
        path: fc.constantFrom("/x", "/y"),
        value: fc.jsonValue() as fc.Arbitrary<Json>,
      }),
      fc.record({
        op: fc.constant("add" as const),
        path: fc.constant("/messages/-"),
        value: fc.jsonValue() as fc.Arbitrary<Json>,
      }),
      fc.record({
        op: fc.constant("output" as const),
        path: fc.constant("/n_output"),
        nodeId: fc.constant("n"),
        visit: fc.constantFrom(1, 2),
      }),
    );
    const outputs: StoredOutput[] = [
      { nodeId: "n", visit: 1, output: { x: 1 } },
      { nodeId: "n", visit: 2, output: { y: 2 } },
    ];
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.nat(20), (ops, cut) => {
        const log = ops.map((op, index) => ({ seq: index + 1, ops: [op] }));
        const start = initialContext({ x: 0 }, { y: 0 });
        const whole = foldLog(start, log, outputs);
        const half = toSnapshot(foldLog(start, log.slice(0, cut), outputs), cut);
        const resumed = foldLog(fromSnapshot(stored(half)), log.slice(cut), outputs);
        expect(stored(toSnapshot(resumed, 0))).toEqual(stored(toSnapshot(whole, 0)));
      }),
    );
  });

  it("starts messages from the trigger when they are valid, else empty", () => {
    const messages = [{ role: "user", content: "hi" }];
    expect(initialContext({}, { messages }).values.messages).toEqual(messages);
    expect(initialContext({}, { messages: [{ text: "hi" }] }).values.messages).toEqual([]);
    expect(initialContext({}, {}).values.messages).toEqual([]);
  });
});

describe("assign", () => {
  const assign = (params: object, variables: JsonObject = {}, trigger: JsonObject = {}): JsonObject => {
    const action = compileAction({ type: "assign", params: { path: "$.x", ...params } });
    if (action.type !== "assign") throw new Error("not an assign");
    const scope = scopeOf(variables, trigger);
    return applyOps(scope.context, toAssignOps(action, scope), none).values;
  };

  it("sets, making the objects on the way", () => {
    expect(assign({ path: "$.a.b.c", value: 1 })).toMatchObject({ a: { b: { c: 1 } } });
    expect(assign({ path: "$.a.b", value: 1 }, { a: { z: 0 } })).toMatchObject({ a: { z: 0, b: 1 } });
    expect(assign({ path: "$.list[-1].n", value: 9 }, { list: [{ n: 1 }, { n: 2 }] })).toMatchObject({
      list: [{ n: 1 }, { n: 9 }],
    });
  });

  it("adds to a number, from 0 when missing, from the trigger's when that is the latest", () => {
    expect(assign({ add: 2 }).x).toBe(2);
    expect(assign({ add: 2 }, { x: 1 }).x).toBe(3);
    expect(assign({ add: 2 }, {}, { x: 5 }).x).toBe(7);
    expect(() => assign({ add: 2 }, { x: "1" })).toThrow("must be numbers");
  });

  it("appends, keeping the newest", () => {
    expect(assign({ append: 1 }).x).toEqual([1]);
    expect(assign({ append: 3 }, { x: [1, 2] }).x).toEqual([1, 2, 3]);
    expect(assign({ append: 3, keep: 2 }, { x: [1, 2] }).x).toEqual([2, 3]);
    expect(() => assign({ append: 3 }, { x: "text" })).toThrow("not a list");
  });

  it.each([
    [{}, "none of"],
    [{ value: 1, add: 1 }, "value and add"],
    [{ path: "$.trigger.x", value: 1 }, "read-only"],
    [{ path: "$", value: 1 }, "cannot be written"],
    [{ value: 1, keep: 2 }, "without append"],
  ])("%j is refused when it is compiled", (params, message) => {
    expect(() => assign(params)).toThrow(message);
  });
});
