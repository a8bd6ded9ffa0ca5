import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { called, documentOf, linked, n8nNode, writes } from "./testing/n8n-documents.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

interface Case {
  type: string;
  operation: string;
  left: string;
  right?: Json;
  options?: JsonObject;
}

const STRICT: JsonObject = { caseSensitive: true, typeValidation: "strict" };

function asking({ type, operation, left, right = "", options = STRICT }: Case): JsonObject {
  const conditions = [{ leftValue: left, rightValue: right, operator: { type, operation } }];
  const ask = n8nNode("Ask", "if", { conditions: { conditions, combinator: "and", options } }, { typeVersion: 2.2 });
  return documentOf([called("Start"), ask, writes("yes"), writes("no")], {
    Start: linked(["Ask"]),
    Ask: linked(["yes"], ["no"]),
  });
}

const old = (type: string, condition: JsonObject): JsonObject =>
  documentOf(
    [
      called("Start"),
      n8nNode("Ask", "if", { conditions: { [type]: [condition] } }, { typeVersion: 1 }),
      writes("yes"),
      writes("no"),
    ],
    { Start: linked(["Ask"]), Ask: linked(["yes"], ["no"]) },
  );

describe("a condition of n8n that no guard compares is computed", () => {
  it.each<[Case, JsonObject, "yes" | "no"]>([
    [{ type: "string", operation: "regex", left: "={{ $json.v }}", right: "^0x[a-f0-9]{4}$" }, { v: "0xab12" }, "yes"],
    [{ type: "string", operation: "regex", left: "={{ $json.v }}", right: "/^ab/i" }, { v: "ABc" }, "yes"],
    [{ type: "string", operation: "notRegex", left: "={{ $json.v }}", right: "^a" }, { v: "abc" }, "no"],
    [
      { type: "string", operation: "equals", left: "={{ $json.a }}-{{ $json.b }}", right: "x-y" },
      { a: "x", b: "y" },
      "yes",
    ],
    [
      {
        type: "string",
        operation: "equals",
        left: "={{ $json.a }}",
        right: "={{ $json.b }}",
        options: { typeValidation: "strict" },
      },
      { a: "X", b: "x" },
      "yes",
    ],
    [
      { type: "string", operation: "startsWith", left: "={{ $json.a }}", right: "={{ $json.b }}" },
      { a: "xyz", b: "xy" },
      "yes",
    ],
    [{ type: "string", operation: "equals", left: "a", right: "={{ $json.b }}" }, { b: "b" }, "no"],
    [
      {
        type: "string",
        operation: "contains",
        left: "n{{ 1 }}",
        right: "={{ $json.b }}",
        options: { typeValidation: "loose" },
      },
      { b: 1 },
      "yes",
    ],
    [
      { type: "dateTime", operation: "after", left: "={{ $json.v }}", right: "2026-01-31T09:00:00+01:00" },
      { v: "2026-01-31T08:00:01Z" },
      "yes",
    ],
    [{ type: "dateTime", operation: "before", left: "={{ $now.minus(1, 'day') }}", right: "={{ $now }}" }, {}, "yes"],
    [{ type: "dateTime", operation: "equals", left: "={{ $json.v }}", right: "2026-01-31" }, { v: null }, "no"],
    [{ type: "array", operation: "lengthGt", left: "={{ $json.v }}", right: 1 }, { v: [1, 2] }, "yes"],
    [
      { type: "number", operation: "gte", left: "=1{{ $json.v }}", right: 12, options: { typeValidation: "loose" } },
      { v: 2 },
      "yes",
    ],
  ])("%j of %j: %s", async (given, input, way) => {
    const { status, error, output } = await story.run(asking(given), input);
    expect([status, error, output]).toEqual(["completed", null, { w: way }]);
  });

  it.each<[Case, JsonObject, string]>([
    [{ type: "string", operation: "regex", left: "={{ $json.v }}", right: "1" }, { v: 1 }, "compares texts"],
    [
      { type: "dateTime", operation: "after", left: "={{ $json.v }}", right: "2026-01-31" },
      { v: "soon" },
      "not a date",
    ],
    [{ type: "array", operation: "lengthGt", left: "={{ $json.v }}", right: 1 }, { v: "ab" }, "compares lists"],
  ])("fails where a value is of another type: %j of %j", async (given, input, message) => {
    const { status, error } = await story.run(asking(given), input);
    expect([status, String(error)]).toEqual(["failed", expect.stringContaining(message)]);
  });

  it("takes texts of any value before version 2", async () => {
    const document = old("string", { value1: "={{ $json.v }}", operation: "regex", value2: "^1+$" });
    expect((await story.run(document, { v: 11 })).output).toEqual({ w: "yes" });
    expect((await story.run(document, { v: null })).output).toEqual({ w: "no" });
    const dates = old("dateTime", { value1: "={{ $json.v }}", value2: "2026-01-01T00:00:00.000Z" });
    expect((await story.run(dates, { v: "2026-01-02T00:00:00.000Z" })).output).toEqual({ w: "yes" });
  });
});
