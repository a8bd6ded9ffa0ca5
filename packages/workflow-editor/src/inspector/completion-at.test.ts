import { expect, it } from "vitest";
import { completionAt } from "./completion-at.ts";

const at = (marked: string) => completionAt(marked.replace("|", ""), marked.indexOf("|"));

it.each([
  ["Dear {{|", { start: 5, sought: "" }],
  ["Dear {{ $.trigger.na|me", { start: 5, sought: "$.trigger.na" }],
  ["a {{ $.x }} b {{ am|", { start: 14, sought: "am" }],
  ["/|", { start: 0, sought: "" }],
  ["say /tri|", { start: 4, sought: "tri" }],
  ["line\n/a|", { start: 5, sought: "a" }],
])("%j names a variable", (marked, found) => {
  expect(at(marked)).toEqual(found);
});

it.each(["|", "and/or|", "{{ $.x }}|", "/a b|", "{|", "{{ a\n|", "https://x|"])("%j is free text", (marked) => {
  expect(at(marked)).toBeNull();
});

it("a pipe has begun: what follows is no variable", () => {
  const text = "{{ $.x | def";
  expect(completionAt(text, text.length)).toBeNull();
});
