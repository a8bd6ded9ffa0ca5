import { expect, it } from "vitest";
import { placeInWords } from "./place-in-words.ts";

const DOCUMENT = {
  states: {
    choice: { label: "Choice", always: [] },
    group: { states: { tell: { invoke: { src: "core.http", input: {} } } } },
  },
};

it.each([
  ["$.states.choice.always[1].guard.params.key", "Choice, branch 2, condition"],
  ["$.states.choice.on.paid[0].actions[2].params.value", "Choice, paid, action 3, Value"],
  ["$.states.group.states.tell.invoke.input.timeoutMs", "tell, Timeout ms"],
  ["$.states.group", "group"],
  ["$.payloadSchema.type", "Payload schema"],
  ["$", "Workflow"],
])("%s reads %s", (path, words) => {
  expect(placeInWords(DOCUMENT, path)).toBe(words);
});
