import { describe, expect, it } from "vitest";
import { isMarkdown } from "./is-markdown.ts";

describe("isMarkdown", () => {
  it.each([
    "# Title",
    "one\n- two\n- three",
    "1. first",
    "This is **bold**.",
    "```\ncode\n```",
    "see [it](https://a.b)",
  ])("takes %j for Markdown", (text) => expect(isMarkdown(text)).toBe(true));

  it.each([
    ["plain text", "Dear Ada,\nyour order 8841 is late."],
    ["arithmetic", "2 * 3 * 4"],
    ["what formatting would hide", '# Title\n\n[//]: # "pay twice"'],
    ["what passes for something else", "# Pay раypal"],
  ])("leaves %s as it is", (_what, text) => expect(isMarkdown(text)).toBe(false));
});
