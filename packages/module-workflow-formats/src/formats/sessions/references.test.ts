import type { Json } from "@oven/contract";
import type { SessionCondition } from "@oven/contract/formats/sessions.ts";
import { compileGuard, compileValue, type Scope } from "@oven/engine";
import { describe, expect, it } from "vitest";
import { toGuard } from "./compile-graph.ts";
import { compileInput } from "./compile-input.ts";
import { freshContext } from "./session-context.ts";

const scopeOf = (outputs: Record<string, Json[]>): Scope => {
  const session = { ...freshContext(Object.keys(outputs)), outputs };
  // cast: it is JSON
  const values = { session_graph: session as unknown as Json };
  return { context: { values, writers: new Map([["session_graph", ""]]) }, trigger: {}, execution: {} };
};

const OUTPUTS: Record<string, Json[]> = {
  a: [
    { n: 1, items: [{ title: "one" }] },
    { n: 2, items: [] },
    { n: 3, items: [{ title: "t0" }, { title: "t1" }], deep: { x: { y: [10, 20] } }, "odd key": 7 },
  ],
  five: [3, 4, 5, 6, 7],
  odd: [{ nothing: null, zero: 0, empty: "", no: false, name: "Ada", braces: "{{ $.trigger }}", path: "$.trigger" }],
  "list-of": [["x", ["y", "z"]]],
  never: [],
};
const r = (rest: string) => `@{SESSION_ID}.${rest}`;
const MISSING = Symbol("missing");

/** What is written, and what it comes to. */
const CASES: [ids: string, input: Json, expected: Json | typeof MISSING][] = [
  ["[002-009] [002-014] the newest, whole", r("five"), 7],
  ["[002-009] the newest field", r("a.n"), 3],
  ["[002-010] a position, oldest first", r("a[0].n"), 1],
  ["[002-010] the last position", r("a[2].n"), 3],
  ["[002-010] from the end", r("a[-2].n"), 2],
  ["[002-012] outside of the kept ones", r("a[5].n"), MISSING],
  ["[002-012] outside, from the end", r("a[-4].n"), MISSING],
  ["[002-012] outside, with a default", r("a[5].n|none"), "none"],
  ["a step that never ran", r("never.x"), MISSING],
  ["[002-013] a position of a list, as a field", r("a.items.0.title"), "t0"],
  ["[002-013] a position of a list, in brackets", r("a.items[1].title"), "t1"],
  ["[002-013] the last of a list", r("a.items[-1].title"), "t1"],
  ["[002-013] deep", r("a.deep.x.y.1"), 20],
  ["[002-013] a key with a space", r('a["odd key"]'), 7],
  ["[002-013] a field that is not there", r("a.deep.z"), MISSING],
  ["[002-013] a field of text", r("odd.name.first"), MISSING],
  ["[002-013] a list of lists", r("list-of.1.0"), "y"],
  ["[002-014] an object keeps its type", r("a[0]"), { n: 1, items: [{ title: "one" }] }],
  ["[002-014] a list keeps its type", r("list-of"), ["x", ["y", "z"]]],
  ["[002-015] null is there", r("odd.nothing|x"), null],
  ["[002-015] zero is there", r("odd.zero|x"), 0],
  ["[002-015] empty text is there", r("odd.empty|x"), ""],
  ["[002-015] false is there", r("odd.no|x"), false],
  ["[002-015] what is missing", r("odd.gone|x"), "x"],
  ["[002-016] an empty default", r("odd.gone|"), ""],
  ["[002-016] a default with spaces", r("odd.gone|to be said"), "to be said"],
  ["[002-016] a default with a comma", r("odd.gone|now, then"), "now, then"],
  ["[002-016] a number by default", r("odd.gone|0"), 0],
  ["[002-016] JSON by default", r('odd.gone|{"a": [1]}'), { a: [1] }],
  ["[002-016] a number in quotes by default", r('odd.gone|"0"'), "0"],
  ["[002-017] a number stays one", r("a.n"), 3],
  ["[002-017] within text it is rendered", `There are ${r("a.n")} of them`, "There are 3 of them"],
  ["[002-017] an object within text", `It is ${r("a[0].items")}.`, 'It is [{"title":"one"}].'],
  ["[002-017] null within text", `It is ${r("odd.nothing")}.`, "It is ."],
  ["[002-018] three in a sentence", `${r("five[0]")}, ${r("five[1]")} and ${r("a.n")}.`, "3, 4 and 3."],
  ["[002-018] side by side", `${r("five[0]")}${r("five[1]")}`, "34"],
  ["[002-018] one is missing", `${r("five[0]")} and ${r("gone.x")}`, MISSING],
  [
    "[002-018] defaults in a sentence",
    `Dear ${r("odd.gone|friend")}, from ${r("never.x|us all")}.`,
    "Dear friend, from us all.",
  ],
  ["[002-018] a default that a bar ends", `Dear ${r("odd.gone|friend")}| of ${r("odd.name")}`, "Dear friend of Ada"],
  ["[002-018] a default before another reference", `${r("odd.gone|no")} ${r("odd.name")}`, "no Ada"],
  [
    "[002-019] in objects and lists",
    { a: { b: [r("a.n"), { c: `<${r("odd.name")}>` }] }, plain: 1 },
    { a: { b: [3, { c: "<Ada>" }] }, plain: 1 },
  ],
  [
    "what looks like a template stays data",
    { x: r("odd.braces"), y: `${r("odd.path")}!` },
    { x: "{{ $.trigger }}", y: "$.trigger!" },
  ],
  [
    "what is written like a template stays text",
    { x: "{{ $.trigger }}", y: "$.trigger", z: r("a.n") },
    { x: "{{ $.trigger }}", y: "$.trigger", z: 3 },
  ],
  ["what is written like an expression stays an object", { $cel: "1 + 1" }, { $cel: "1 + 1" }],
  ["a literal inside", { x: { $literal: 1 } }, { x: { $literal: 1 } }],
  ["an escaped one", `\\@{SESSION_ID}.a.n is ${r("a.n")}`, "@{SESSION_ID}.a.n is 3"],
  ["an escaped one alone", "\\@{SESSION_ID}.a", "@{SESSION_ID}.a"],
  ["a brace before one", `{${r("a.n")}}`, "{3}"],
  ["braces around one", `{{${r("a.n")}}}`, "{{3}}"],
  ["three braces before one", `{{{${r("a.n")}`, "{{{3"],
  ["a backslash and braces", `\\{{ ${r("a.n")}`, "\\{{ 3"],
];

describe("a reference", () => {
  it.each(CASES)("%s [002-008]", (_, input, expected) => {
    const { value, references } = compileInput(input);
    const resolve = () => compileValue(value).resolve(scopeOf(OUTPUTS));
    if (expected === MISSING) expect(resolve).toThrow(/no value|missing|not/i);
    else expect(resolve()).toEqual(expected);
    expect(references.length).toBe(JSON.stringify(input).replaceAll("\\\\@{", "").split("@{SESSION_ID}").length - 1);
  });
});

/* Conditions by a second, plain reading of the document, on many small worlds. */
const VALUES: (Json | undefined)[] = [undefined, null, 0, 1, 3, "3", "", "abc", true, [1, "a"], [], { a: 1 }, {}];
const isSame = (one: Json, other: Json): boolean =>
  JSON.stringify(one) === JSON.stringify(other) ||
  ([one, other].every((value) => ["string", "number", "boolean"].includes(typeof value)) &&
    String(one) === String(other));
const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === "object" ? Object.keys(value).length === 0 : value === "");

function plainly(operator: string, actual: Json | undefined, value: Json): boolean {
  if (operator === "exists") return actual !== undefined;
  if (operator === "empty") return isEmpty(actual);
  if (actual === undefined) return false;
  if (operator === "==") return isSame(actual, value);
  if (operator === "!=") return !isSame(actual, value);
  if (operator === "in") return Array.isArray(value) && value.some((one) => isSame(actual, one));
  if (operator === "contains") {
    if (typeof actual === "string") return typeof value === "string" && actual.includes(value);
    if (Array.isArray(actual)) return actual.some((one) => isSame(one, value));
    return typeof actual === "object" && actual !== null && typeof value === "string" && Object.hasOwn(actual, value);
  }
  const scalar = (one: Json) => ["string", "number", "boolean"].includes(typeof one) && one !== "";
  let order = Number.NaN;
  if (scalar(actual) && scalar(value)) order = Number(actual) - Number(value);
  if (Number.isNaN(order) && typeof actual === "string" && typeof value === "string")
    order = actual === value ? 0 : actual < value ? -1 : 1;
  if (operator === ">") return order > 0;
  if (operator === "<") return order < 0;
  return operator === ">=" ? order >= 0 : order <= 0;
}

describe("conditions of a path", () => {
  const operators = ["==", "!=", ">", "<", ">=", "<=", "contains", "in", "exists", "empty"] as const;

  it("hold as they are written; on what is missing they do not [002-055] [002-057]", () => {
    let count = 0;
    for (const actual of VALUES)
      for (const operator of operators)
        for (const value of VALUES) {
          if (value === undefined) continue;
          const condition: SessionCondition = { variable: r("s.x"), operator, value };
          const guard = toGuard({ conditions: [condition], operator: "AND" });
          // The one before the newest does not count.
          const scope = scopeOf({ s: [{ x: "older" }, actual === undefined ? {} : { x: actual }] });
          const said = guard && compileGuard(guard)(scope);
          expect(said, JSON.stringify({ actual, operator, value })).toBe(plainly(operator, actual, value));
          count += 1;
        }
    expect(count).toBe(1_560);
  });

  it("are joined by AND or OR [002-056] [002-054]", () => {
    const is = (step: string) => ({ variable: r(step), value: true });
    const table = [true, false].flatMap((a) => [true, false].map((b) => ({ a, b })));
    const said = (operator: "AND" | "OR") =>
      table.map(({ a, b }) => {
        const guard = toGuard({ conditions: [is("a"), is("b")], operator });
        return guard && compileGuard(guard)(scopeOf({ a: [a], b: [b] }));
      });
    expect(said("AND")).toEqual([true, false, false, false]);
    expect(said("OR")).toEqual([true, true, true, false]);
    expect(toGuard({ conditions: [], operator: "AND" })).toBeUndefined();
    expect(toGuard({ conditions: [], operator: "OR" })).toBeUndefined();
  });
});
