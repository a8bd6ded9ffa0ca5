import { expect, test } from "vitest";
import { ReasoningSplitter, splitReasoning } from "./reasoning-in-text.ts";

const CASES: [answer: string, text: string, reasoning: string][] = [
  ["Four.", "Four.", ""],
  ["  Four.\n", "  Four.\n", ""],
  ["<think>2 and 2</think>Four.", "Four.", "2 and 2"],
  ["\n<think>\n2 and 2\n</think>\n\nFour.", "Four.", "2 and 2"],
  ["\uFEFF<think>a</think>{}", "{}", "a"],
  ["<think></think>\n\nFour.", "Four.", ""],
  ["<think>a</think><think>b</think>Four.", "Four.", "a\nb"],
  ["[THINK]a[/THINK]Four.", "Four.", "a"],
  ["Sure.\n<think>a</think>\nFour.", "Sure.\n\nFour.", "a"],
  ["Sure <think>a</think>four.", "Sure four.", "a"],
  // Cut off while it thinks.
  ["<think>2 and", "", "2 and"],
  ["Sure.\n<think>2 and", "Sure.\n", "2 and"],
  // The template of the prompt has opened it.
  ["2 and 2\n</think>\n\nFour.", "Four.", "2 and 2"],
  ["2 and 2</think>\nFour.", "Four.", "2 and 2"],
  ["</think>Four.", "Four.", ""],
  ["2 and 2</think>", "", "2 and 2"],
  // Only named.
  ["The tag <think> is used by some.", "The tag <think> is used by some.", ""],
  ["The tag </think> ends it.", "The tag </think> ends it.", ""],
  ["Write `<think>a</think>` first.", "Write `<think>a</think>` first.", ""],
  ['Write "<think>" first.\n', 'Write "<think>" first.\n', ""],
  ["So:\n```xml\n<think>a</think>\n```\n", "So:\n```xml\n<think>a</think>\n```\n", ""],
  ['{"a": "b <think>c</think>"}', '{"a": "b <think>c</think>"}', ""],
  ['["x <think>c</think>"]', '["x <think>c</think>"]', ""],
  ['<think>x</think>\n{"a":"y <think>z</think>"}', '{"a":"y <think>z</think>"}', "x"],
  ["a < b <thin", "a < b <thin", ""],
  ["<", "<", ""],
];

test.each(CASES)("%j: its text is %j, its reasoning %j", (answer, text, reasoning) => {
  expect(splitReasoning(answer)).toEqual({ text, reasoning });
});

test.each(CASES)("%j comes to the same in pieces of any size", (answer, text) => {
  for (let size = 1; size <= answer.length; size++) {
    const splitter = new ReasoningSplitter();
    const chunks = Array.from({ length: Math.ceil(answer.length / size) }, (_, at) =>
      answer.slice(at * size, (at + 1) * size),
    );
    const pieces = [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.push("", true)];
    let shown = "";
    for (const piece of pieces) {
      if (piece.type === "text") shown += piece.text;
      if (piece.type === "void") shown = "";
    }
    expect([size, shown]).toEqual([size, text]);
  }
});

test("text that no mark can begin in is handed on at once", () => {
  const splitter = new ReasoningSplitter();
  expect(splitter.push("Four is ")).toEqual([{ type: "text", text: "Four is " }]);
  expect(splitter.push("a <thi")).toEqual([{ type: "text", text: "a " }]);
  expect(splitter.push("n line")).toEqual([{ type: "text", text: "<thin line" }]);
});
