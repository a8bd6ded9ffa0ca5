import type { FormField } from "@oven/contract/trigger";
import { violationsOf } from "@oven/engine";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { describe, expect, it } from "vitest";
import { toFieldProblems } from "./field-problems.ts";
import { initialAnswer, readAnswer } from "./read-answer.ts";

const field = (control: FormField["control"], more: Partial<FormField> = {}): FormField => ({
  name: "x",
  label: "X",
  description: null,
  required: false,
  control,
  choices: [],
  choiceLabels: [],
  longAsText: false,
  initial: null,
  ...more,
});

describe("an answer", () => {
  it.each([
    ["text", " a ", "a"],
    ["long-text", " a\n", " a\n"],
    ["email", "a@b.c", "a@b.c"],
    ["date", "2026-11-01", "2026-11-01"],
    ["integer", "12", 12],
    ["number", "1,5", 1.5],
    ["choice", '"s"', "s"],
    ["json", '{"a":1}', { a: 1 }],
    ["text-list", "a\n\n b \n", ["a", "b"]],
    ["boolean", false, false],
    ["choices", ["a"], ["a"]],
    ["text", "", undefined],
    ["integer", " ", undefined],
  ] as const)("of %s %j stands for %j", (control, answer, value) => {
    expect(readAnswer(field(control), typeof answer === "object" ? [...answer] : answer)).toEqual({ value });
  });

  it("gives an instant for local time", () => {
    const read = readAnswer(field("date-time"), "2026-11-01T09:30");
    expect(read).toEqual({ value: new Date(2026, 10, 1, 9, 30).toISOString() });
  });

  it("gives a time with seconds and zone, as a schema asks for it", () => {
    for (const [time, full] of [
      ["10:30", "10:30:00"],
      ["23:59:58", "23:59:58"],
    ] as const) {
      const read = readAnswer(field("time"), time);
      expect(read).toEqual({ value: expect.stringMatching(new RegExp(`^${full}[+-]\\d\\d:\\d\\d$`)) });
      const { value } = read as { value: string }; // cast: as seen above
      expect(violationsOf({ type: "string", format: "time" }, value, "$")).toEqual([]);
    }
    expect(initialAnswer(field("time", { initial: "08:15:00Z" }))).toBe("08:15:00");
  });

  it.each([
    ["time", "soon", "Not a time"],
    ["integer", "1.5", "whole number"],
    ["integer", "7615917337495251231", "more digits"],
    ["number", "1e400", "more digits"],
    ["json", '{"id":7615917337495251231}', "$.id"],
    ["number", "many", "Not a number"],
    ["json", "{", "Not JSON"],
    ["date-time", "soon", "Not a date"],
  ] as const)("of %s %j is none", (control, answer, problem) => {
    expect(readAnswer(field(control), answer)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it.each([["text", ""] as const, ["choices", []] as const])("is needed where %s is required", (control, answer) => {
    const read = readAnswer(field(control, { required: true }), typeof answer === "string" ? answer : []);
    expect(read).toHaveProperty("problem");
  });

  it("is text where a number is too long for one and the schema takes text", () => {
    const long = field("integer", { longAsText: true });
    expect(readAnswer(long, "7615917337495251231")).toEqual({ value: "7615917337495251231" });
    expect(readAnswer(long, "12")).toEqual({ value: 12 });
  });

  it("begins with what the schema has as default", () => {
    expect(initialAnswer(field("integer", { initial: 2 }))).toBe("2");
    expect(initialAnswer(field("choice", { initial: "s" }))).toBe('"s"');
    expect(initialAnswer(field("boolean", { initial: true }))).toBe(true);
    expect(initialAnswer(field("text-list", { initial: ["a", "b"] }))).toBe("a\nb");
    expect(initialAnswer(field("text"))).toBe("");
  });
});

it.each([
  ['String does not match format "email".', "This is not an e-mail address."],
  ['String does not match format "uri".', "This is not valid as uri."],
  ["String is too short (9 < 10).", "At least 10 characters."],
  ["String is too long (12 > 10).", "At most 10 characters."],
  ["12 is greater than 9.", "At most 9."],
  ["0 is less than 1.", "At least 1."],
  ["something else", "Something else."],
])("%s is said as people say it", (message, plain) => {
  const details = { problems: [{ path: "$.x", message }] };
  const error = new ApiError(400, { code: "INVALID_INPUT", message: "x", details });
  expect(toFieldProblems(error, [field("text")])).toEqual({ x: plain });
});

it("what the server says is shown at the field it speaks of", () => {
  const details = {
    problems: [
      { path: "$.email", message: "is no e-mail address" },
      { path: "$.email", message: "is too short" },
      { path: "$.links[2]", message: "is no text" },
      { path: "$", message: "has something that is not asked for" },
    ],
  };
  const error = new ApiError(400, { code: "INVALID_INPUT", message: "x", details });
  const fields = ["email", "links", "other"].map((name) => field("text", { name }));
  expect(toFieldProblems(error, fields)).toEqual({ email: "Is no e-mail address.", links: "Is no text." });
  expect(toFieldProblems(new Error("away"), fields)).toEqual({});
});
