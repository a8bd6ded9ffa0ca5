import { type Json, OvenError } from "@oven/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileAction } from "../compile/action.ts";
import { ExpressionSyntaxError } from "../expressions/expression-error.ts";
import { getChild } from "../expressions/json-access.ts";
import { compileValue } from "../expressions/value.ts";
import type { ContextOp } from "../store.ts";
import { scopeOf } from "../testing/expression-scope.ts";
import { toAssignOps } from "./assign.ts";
import { applyOps, initialContext, toPointer } from "./context.ts";

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype];
const fingerprint = () => PROTOTYPES.map((one) => JSON.stringify(Reflect.ownKeys(one).map(String)));

const key = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__", "valueOf"),
  fc.constantFrom("a", "b", "0", "length", "-", ""),
);
/** As JSON.parse makes it: `__proto__` is an own key. */
const json: fc.Arbitrary<Json> = fc
  .letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.constantFrom('"polluted"', "1", "null", "true"),
      fc.array(tie("json"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
      fc
        .array(fc.tuple(key, tie("json")), { maxLength: 3 })
        .map((entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`),
    ),
  }))
  // cast: made of JSON's own parts
  .json.map((text) => JSON.parse(text) as Json);
const segments = fc.array(key, { minLength: 1, maxLength: 4 });
const ops: fc.Arbitrary<ContextOp[]> = fc.array(
  fc.oneof(
    fc.record({ op: fc.constantFrom("add" as const, "replace" as const), path: segments.map(toPointer), value: json }),
    fc.record({ op: fc.constant("remove" as const), path: segments.map(toPointer) }),
    fc.record({
      op: fc.constant("output" as const),
      path: key.map((name) => toPointer([`${name}_output`])),
      nodeId: key,
      visit: fc.constant(1),
    }),
  ),
  { maxLength: 5 },
);

/** Every object in it has the plain prototype, whatever its keys are called. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  const isArray = Array.isArray(value);
  if (Object.getPrototypeOf(value) !== (isArray ? Array.prototype : Object.prototype)) return false;
  return Reflect.ownKeys(value).every(
    (name) => (isArray && name === "length") || isPlain(Object.getOwnPropertyDescriptor(value, name)?.value),
  );
}

/** What it gives, or nothing when it refuses with an error of ours. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof OvenError || error instanceof ExpressionSyntaxError) return undefined;
    throw error;
  }
}

const NUMBER_OF_RUNS = 10_000;

describe("merges into the context", () => {
  it("pollute no prototype, whatever the keys are called, in 10,000 of them", () => {
    const before = fingerprint();
    let merged = 0;
    fc.assert(
      fc.property(json, json, ops, json, (variables, trigger, patch, output) => {
        const start = initialContext(
          typeof variables === "object" && !Array.isArray(variables) && variables !== null ? variables : {},
          trigger,
        );
        const result = attempt(() => applyOps(start, patch, () => output));
        if (result === undefined) return;
        merged++;
        expect(isPlain(result.values)).toBe(true);
      }),
      { numRuns: NUMBER_OF_RUNS },
    );
    expect(fingerprint()).toEqual(before);
    expect(merged).toBeGreaterThan(NUMBER_OF_RUNS / 10);
  });

  it("that assign at a path reach own keys only", () => {
    const before = fingerprint();
    let written = 0;
    fc.assert(
      fc.property(segments, json, json, (place, held, value) => {
        const path = `$${place.map((one) => `[${JSON.stringify(one)}]`).join("")}`;
        const scope = scopeOf({ a: held, b: held });
        const patch = attempt(() =>
          toAssignOps(
            // cast: the path makes it an assignment
            compileAction({ type: "assign", params: { path, value: { $literal: value } } }) as Parameters<
              typeof toAssignOps
            >[0],
            scope,
          ),
        );
        const result = patch && attempt(() => applyOps(scope.context, patch, () => null));
        if (result === undefined) return;
        written++;
        let found: Json | undefined = result.values;
        for (const one of place) found = getChild(found, one);
        expect(found).toEqual(value);
        expect(isPlain(result.values)).toBe(true);
      }),
      { numRuns: NUMBER_OF_RUNS },
    );
    expect(fingerprint()).toEqual(before);
    expect(written).toBeGreaterThan(NUMBER_OF_RUNS / 100);
  });

  it("keep a value's own __proto__ as data", () => {
    fc.assert(
      fc.property(json, (value) => {
        const resolved = attempt(() => compileValue(value).resolve(scopeOf({})));
        if (resolved === undefined) return;
        expect(JSON.stringify(resolved)).toBe(JSON.stringify(value));
        expect(isPlain(resolved)).toBe(true);
      }),
      { numRuns: NUMBER_OF_RUNS },
    );
  });
});
