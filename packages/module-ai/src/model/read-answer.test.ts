import type { Json, JsonObject } from "@oven/contract";
import { growthOf } from "@oven/testing";
import { describe, expect, test } from "vitest";
import { readAnswer } from "./read-answer.ts";

const schema: JsonObject = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
const one = { a: 1 };

test.each([
  ['{"a":1}', undefined],
  [' \n{"a":1}\n', undefined],
  ['\uFEFF{"a":1}', undefined],
  ['```json\n{"a":1}\n```', "fence"],
  ['```JSON\n{"a":1}\n```', "fence"],
  ['```json{"a":1}```', "fence"],
  ['```\n{"a":1}```', "fence"],
  ['"{\\"a\\":1}"', "encoded in once more"],
  ['Here it is:\n```json\n{"a":1}\n```', "text around it"],
  ['```json\n{"a":1}\n```\nHope it helps', "text around it"],
  ['Here it is: {"a":1}. Hope [it] helps {you}.', "text around it"],
  ['As in [1] and {x}: {"a":1}', "text around it"],
  ['First {"b":2}, then {"a":1}', "text around it"],
  ['{"a":1} and again { "a": 1 }', "text around it"],
  ['{"a":1}\n{"b":"}{"}', "text around it"],
])("%j is read as what is meant", (text, note) => {
  const read = readAnswer(text, schema);
  expect(read).toMatchObject({ value: one });
  expect(read.problem).toBeUndefined();
  if (note === undefined) expect(read.note).toBeUndefined();
  else expect(read.note).toContain(note);
});

test.each<[string, string]>([
  ["No.", "the answer is not JSON"],
  ["", "the answer is not JSON"],
  ['{"a":1} or {"a":2}', '2 different JSON values that fit, {"a":1} and {"a":2}'],
  ['```json\n{"a":1}\n```\n```json\n{"a":2}\n```', "2 different JSON values"],
  ['I say {"a":"x"}', "$.a"],
  ['{"b":1} or {"c":2}', "none of them fits"],
  // Part of a broken value is never taken for the whole.
  ['Here: {"list": [{"a":1}', "broken or cut off"],
  ['{"list": [{"a":1}], oops', "broken or cut off"],
  ['{"x": oops, "y": {"a":1}}', "broken or cut off"],
])("%j is refused: %s", (text, problem) => {
  const read = readAnswer(text, schema);
  expect(read.value).toBeUndefined();
  expect(read.problem).toContain(problem);
});

test("what is JSON and does not fit is handed on with what is wrong", () => {
  expect(readAnswer('{"a":"x"}', schema)).toMatchObject({ value: { a: "x" }, problem: expect.stringContaining("$.a") });
});

test.each<[JsonObject, string, Json]>([
  [{ type: "string" }, 'It is:\n```json\n"yes"\n```', "yes"],
  [{ type: "integer" }, "It is:\n```\n42\n```\nas [1] says", 42],
  [{ type: "boolean" }, "```json true```", true],
  [{ type: "array", items: { type: "string" } }, 'See [1]: ["a", "b"]', ["a", "b"]],
])("of the schema %j", (other, text, value) => {
  expect(readAnswer(text, other)).toMatchObject({ value, note: expect.any(String) });
});

test.each<[string, (size: number) => string]>([
  ["brackets that are never closed", (size) => "[".repeat(size)],
  ["brackets that break", (size) => `${"[".repeat(size)}x`.repeat(2)],
  ["objects that break", (size) => '{"'.repeat(size)],
  ["many fences", (size) => "``` ".repeat(size)],
])("takes time that grows with the answer: %s", (_name, build) => {
  expect(growthOf((size) => readAnswer(build(size), schema), 12_500, 8)).toBeLessThan(30);
});

describe("a number that would be changed", () => {
  const LONG = "7615917337495251231";
  const plain = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
  const exact = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };

  test.each([
    `{"id":${LONG}}`,
    `\`\`\`json\n{"id":${LONG}}\n\`\`\``,
    `The id is {"id":${LONG}}, as asked.`,
    JSON.stringify(`{"id":${LONG}}`),
  ])("is refused with its place, or text where the schema takes text: %j", (text) => {
    const { value, problem, refusal } = readAnswer(text, plain);
    expect({ value, problem, refusal }).toMatchObject({
      refusal: { code: "NUMBER_NOT_EXACT", path: "$.object.id", message: expect.stringContaining(LONG) },
    });
    expect(value).toBeUndefined();
    expect(readAnswer(text, exact)).toMatchObject({ value: { id: LONG } });
  });

  test("does not hide another value that fits", () => {
    expect(readAnswer(`Not {"id":${LONG}} but {"id":7}.`, plain)).toMatchObject({ value: { id: 7 } });
  });
});
