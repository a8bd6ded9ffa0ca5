import { describe, expect, it } from "vitest";
import { markWords } from "./marked-words.ts";

const marked = (text: string, query: string): string[] =>
  markWords(text, query).flatMap((part) => (part.marked ? [part.text] : []));

describe("what a search found a text by", () => {
  it.each([
    ["Customers may return goods.", "How may a customer return something?", ["Customers", "may", "return"]],
    ["Returned within 30 days", "return", ["Returned"]],
    ["The category is cat.", "cat", ["cat"]],
    ["Größe und Maß", "größe?", ["Größe"]],
    ["a b c", "a b", []],
    ["(x) [y] $& .*", ".* $&", []],
  ])("%s, asked %s", (text, query, words) => {
    expect(marked(text, query)).toEqual(words);
  });

  it("is the whole text again when the parts are put together", () => {
    const text = "  One, two;\n two-fold: twofold.  ";
    expect(
      markWords(text, "two fold")
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  });
});
