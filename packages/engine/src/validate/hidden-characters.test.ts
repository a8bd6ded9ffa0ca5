import { expect, it } from "vitest";
import { ScriptedNodes } from "../testing/scripted-nodes.ts";
import { validateDefinition } from "./validate-definition.ts";

const warningsOf = (input: Record<string, string>, more: object = {}) =>
  validateDefinition(
    {
      initial: "work",
      states: { work: { invoke: { src: "core.log", input, onDone: "done" } }, done: { type: "final" } },
      ...more,
    },
    new ScriptedNodes({ "core.log": {} }),
  )
    .problems.filter(({ rule }) => rule === "hidden-characters")
    .map(({ path, severity, message }) => [path, severity, message]);

it("texts that are not what they seem are warnings at their place, with the lines of code", () => {
  expect(warningsOf({ code: "let a = 1;\nlet b = 2; // \u202Eadmin\nreturn a;" })).toEqual([
    [
      "$.states.work.invoke.input.code",
      "warning",
      "It has invisible characters or letters that pass for others: U+202E, in line 2",
    ],
  ]);
  expect(warningsOf({ url: "https://p\u0430ypal.com" }, { context: { "to\u200Btal": 1 } })).toEqual([
    ["$.states.work.invoke.input.url", "warning", expect.stringMatching(/U\+0430$/)],
    [expect.stringContaining("$.context"), "warning", expect.stringContaining("U+200B")],
  ]);
});

it("emoji, languages and formulas are no warnings", () => {
  expect(warningsOf({ text: "👩‍💻 Größe Привет 你好 نص می‌خواهم αx + βy", plan: "naïve\ttab\nline" })).toEqual([]);
});

it("notes beside the graph are not looked at", () => {
  expect(warningsOf({}, { meta: { notes: [{ text: "a\u202Eb" }] } })).toEqual([]);
});
