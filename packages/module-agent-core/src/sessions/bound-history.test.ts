import type { SpokenMessage } from "@oven/contract/agent";
import { expect, test } from "vitest";
import { boundHistory } from "./bound-history.ts";

const talk: SpokenMessage[] = [
  { role: "user", content: "a".repeat(40) },
  { role: "assistant", content: "b".repeat(40) },
  { role: "user", content: "c".repeat(40) },
  { role: "assistant", content: "d".repeat(40) },
];
const firstLetters = (messages: SpokenMessage[]) => messages.map(({ content }) => content[0]).join("");

test.each([
  [{ messages: 10, tokens: 1_000 }, "abcd"],
  [{ messages: 2, tokens: 1_000 }, "cd"],
  [{ messages: 10, tokens: 20 }, "cd"],
  [{ messages: 10, tokens: 19 }, ""],
  [{ messages: 0, tokens: 1_000 }, ""],
])("the newest messages within %j are kept", (bounds, kept) => {
  expect(firstLetters(boundHistory(talk, bounds))).toBe(kept);
});

test("an answer whose question did not fit is left out too", () => {
  expect(firstLetters(boundHistory(talk, { messages: 3, tokens: 1_000 }))).toBe("cd");
});
