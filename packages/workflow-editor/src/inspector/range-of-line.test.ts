import { expect, test } from "vitest";
import { rangeOfLine } from "./range-of-line.ts";

test.each([
  ["a = 1\nb = (\nc", 2, "b = ("],
  ["a = 1\nb = (\nc", 1, "a = 1"],
  ["a = 1\nb = (\nc", 3, "c"],
  ["a = 1\nb = (\nc", 9, "c"],
  ["", 1, ""],
])("%j has line %i", (text, line, expected) => {
  const { from, to } = rangeOfLine(text, line);
  expect(text.slice(from, to)).toBe(expected);
});
