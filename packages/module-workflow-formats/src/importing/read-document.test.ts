import { expect, it } from "vitest";
import { readDocument } from "./read-document.ts";

it.each([
  ["a: 7615917337495251231", 'a: "7615917337495251231"'],
  ["a: 0.1234567890123456789", "a: 0.1234567890123456"],
  ["a: 1e400", "a: 1e30"],
  ["a: 0x1FFFFFFFFFFFFFFF", "a: 0x1F"],
  ['{"a": 7615917337495251231}', '{"a": "7615917337495251231"}'],
])("a number that would be changed is refused at its place: %s, but not %s", (text, exact) => {
  expect(() => readDocument(text)).toThrow(
    expect.objectContaining({ code: "SOURCE_UNREADABLE", message: expect.stringContaining("more digits") }),
  );
  expect(() => readDocument(exact)).not.toThrow();
});

it.each([
  ["a: [+1, .5, 1., -0, 007, 1.50, 12e3]", [1, 0.5, 1, -0, 7, 1.5, 12_000]],
  ["a: [0x1F, 0o17]", [31, 15]],
])("YAML's other ways to write a number are exact: %s", (text, a) => {
  expect(readDocument(text).value).toEqual({ a });
});
