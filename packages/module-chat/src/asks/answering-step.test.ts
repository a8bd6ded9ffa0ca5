import type { Json } from "@oven/contract";
import { expect, it } from "vitest";
import { answeringStep } from "./answering-step.ts";

const endingWith = (...outputs: (Json | undefined)[]) => ({
  states: Object.fromEntries(
    outputs.map((output, index) => [
      `end${index}`,
      { type: "final" as const, ...(output === undefined ? {} : { output }) },
    ]),
  ),
});

it.each<[string, (Json | undefined)[], string | undefined]>([
  ["the text of a step", [{ text: "$.answer_output.text" }], "answer"],
  ["its whole output", ["$.say_output"], "say"],
  ["a template that is nothing else", [{ reply: "{{ $.draft_output.text }}" }], "draft"],
  ["the same step at several ends", [{ text: "$.a_output.text" }, { answer: "$.a_output.text", more: 1 }], "a"],
  ["an end with words of its own beside", [{ text: "$.a_output.text" }, { text: "Sorry" }, undefined], "a"],
  ["two steps", [{ text: "$.a_output.text" }, { text: "$.b_output.text" }], undefined],
  ["a text around it", [{ text: "Dear {{ $.a_output.text }}" }], undefined],
  ["another field of a step", ["$.a_output.object"], undefined],
  ["several fields", [{ one: "$.a_output.text", two: "$.b_output.text" }], undefined],
  ["no output", [undefined], undefined],
])("the answer is %s", (_what, outputs, step) => {
  expect(answeringStep(endingWith(...outputs))).toBe(step);
});
