import type { Json, JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { scopeOf } from "../testing/expression-scope.ts";
import { expandLate, type Late, parseLate, showLate } from "./late.ts";
import { readPath } from "./scope.ts";
import { compileValue } from "./value.ts";

const blob = { $blob: 7, mediaType: "text/plain", bytes: 20_000, sha256: "ab", summary: "Dear Ada" };
const data = { uuid: "4e5b8e4e-0b4d-4b8a-9a4e-9f3a2c5d1e3f", summary: "three orders" };
const long = "x".repeat(600);
const scope = scopeOf({ letter: blob, data: { orders: data }, long, small: { a: 1 }, list: [blob, 2] });

const stored: Record<string, Json> = { 7: "the whole letter", [data.uuid]: { orders: [1, 2, 3] } };
const load = async (reference: JsonObject): Promise<Json> => {
  const content = stored[String(reference.$blob ?? reference.uuid)];
  if (content === undefined) throw new Error("gone");
  return content;
};

/** Through the database and back, as a stored input goes. */
const expand = async (value: Json): Promise<Json> => {
  const late = compileValue(value).late?.(scope);
  if (late === undefined) throw new Error("nothing is late");
  return expandLate(parseLate(JSON.parse(JSON.stringify(late)) as Json), load); // cast: JSON
};

describe("| compressed", () => {
  it("hands on the id and summary of a reference", () => {
    expect(readPath(scope, "$.letter | compressed")).toEqual({ id: 7, summary: "Dear Ada" });
    expect(readPath(scope, "$.data.orders | compressed")).toEqual(data);
    expect(readPath(scope, "$.list | compressed")).toEqual([{ id: 7, summary: "Dear Ada" }, 2]);
  });

  it("hands on the path and beginning of what is large, and what is small as it is", () => {
    expect(readPath(scope, "$.long | compressed")).toEqual({ id: "$.long", summary: "x".repeat(500) });
    expect(readPath(scope, "$.small | compressed")).toEqual({ a: 1 });
    expect(readPath(scope, "$.nope | compressed")).toBeUndefined();
    const surrogates = scopeOf({ text: `${"x".repeat(499)}😀${long}` });
    expect(readPath(surrogates, "$.text | compressed")).toEqual({ id: "$.text", summary: "x".repeat(499) });
  });

  it("renders in text as JSON", () => {
    expect(compileValue("See {{ $.letter | compressed }}").resolve(scope)).toBe('See {"id":7,"summary":"Dear Ada"}');
  });
});

describe("| full", () => {
  it("is followed when the node is called: whole, in text, in lists and objects", async () => {
    expect(await expand("$.letter | full")).toBe("the whole letter");
    expect(await expand("Read: {{ $.letter | full }} and {{ $.data.orders | full }}, {{ $.small }}")).toBe(
      'Read: the whole letter and {"orders":[1,2,3]}, {"a":1}',
    );
    expect(await expand({ a: ["$.data.orders | full", "$.small"], b: "$.letter", __proto__: 1 })).toEqual({
      a: [{ orders: [1, 2, 3] }, { a: 1 }],
      b: blob,
    });
  });

  it("leaves what is no reference as it is, and says when there is nothing", async () => {
    expect(await expand("$.small | full")).toEqual({ a: 1 });
    expect(await expand('$.nope | default("none") | full')).toBe("none");
    expect(() => compileValue("$.nope | full").late?.(scope)).toThrow("$.nope has no value");
  });

  it("keeps references where nothing is called: guards, outputs, variables", () => {
    expect(compileValue("$.letter | full").resolve(scope)).toEqual(blob);
    expect(compileValue("$.letter").late).toBeUndefined();
    expect(compileValue({ a: ["$.letter", "{{ $.small }}"] }).late).toBeUndefined();
  });

  it("never takes data for structure", async () => {
    const trap = { r: { $blob: 7 }, t: [{ r: { $blob: 7 } }], l: [], o: [] };
    const hostile = scopeOf({ trap, text: "{{ $.letter | full }}", letter: blob });
    const late = compileValue(["$.trap", "$.letter | full", "$.text"]).late?.(hostile);
    expect(await expandLate(parseLate(late as unknown as Json), load)).toEqual([
      trap,
      "the whole letter",
      "{{ $.letter | full }}",
    ]);
  });

  it("is shown with its references", () => {
    const late = compileValue({ a: "$.letter | full", b: "Read: {{ $.letter | full }}" }).late?.(scope);
    expect(showLate(late as Late)).toEqual({ a: blob, b: "Read: Dear Ada" });
  });

  it("refuses a stored form it does not know", () => {
    for (const broken of [{}, 1, null, { t: [1] }, { o: [[1, { v: 1 }]] }, { l: [{}] }] as Json[])
      expect(() => parseLate(broken)).toThrow("cannot be read back");
  });
});
