import { describe, expect, it } from "vitest";
import { findSpan, readPositions, toLine, toSegments } from "./json-positions.ts";

function textAt(text: string, path: string): string | null {
  const positions = readPositions(text);
  if (!positions.ok) throw new Error(positions.message);
  const span = findSpan(positions.spans, path);
  return span === null ? null : text.slice(span.start, span.end);
}

const TEXT = `{
  "states": {
    "review": { "after": [10, {"a b": null}] },
    "x\\u0041": true
  },
  "n": -1.5e3
}`;

describe("positions in JSON", () => {
  it.each([
    ["$.states.review.after[0]", "10"],
    ['$.states.review.after[1]["a b"]', '"a b": null'],
    ["$.n", '"n": -1.5e3'],
    ["$.states.xA", '"x\\u0041": true'],
    ["$", TEXT],
  ])("%s stands at its key or value", (path, expected) => {
    expect(textAt(TEXT, path)).toBe(expected);
  });

  it("falls back to the nearest thing around a path that does not exist", () => {
    expect(textAt(TEXT, "$.states.review.invoke.src")).toBe('"review": { "after": [10, {"a b": null}] }');
    expect(textAt(TEXT, "$.gone")).toBe(TEXT);
  });

  it("lets the last of two equal keys win, as JSON.parse does", () => {
    expect(textAt('{"a": 1, "a": 2}', "$.a")).toBe('"a": 2');
  });

  it.each([
    ['{"a": 1,}', 8, /comma/],
    ['{"a" 1}', 5, /colon/i],
    ["[1 2]", 3, /comma or \]/],
    ['{"a": tru}', 6, /Unexpected "t"/],
    ['{"a": "b', 6, /not closed/],
    ["[1", 2, /comma or \]/],
    ["{} x", 3, /follows/],
    ["   ", 0, /nothing/],
    ['{"a": ', 6, /ends too early/],
    ["{a: 1}", 1, /double quotes/],
    ["[01]", 2, /comma or \]/],
  ])("says where %j breaks", (text, offset, message) => {
    const positions = readPositions(text);
    expect(positions).toMatchObject({ ok: false, offset });
    expect(positions.ok ? "" : positions.message).toMatch(message);
  });

  it.each(["{}", "[]", "[[],{}]", '"\\"\\\\\\/\\b\\f\\n\\r\\t"', "0", "-0.1E+2", "true", ' {"a":[1,"😀"]} '])(
    "accepts what JSON.parse accepts: %s",
    (text) => {
      expect(() => JSON.parse(text)).not.toThrow();
      expect(readPositions(text).ok).toBe(true);
    },
  );

  it.each(["[1,]", "{,}", "'a'", "NaN", "+1", "1.", ".5", '"\\x"', '"\t"', "nul", "[1]]"])(
    "refuses what JSON.parse refuses: %s",
    (text) => {
      expect(() => JSON.parse(text)).toThrow();
      expect(readPositions(text).ok).toBe(false);
    },
  );

  it("stops at a nesting no definition has, instead of overflowing the stack", () => {
    expect(readPositions("[".repeat(100_000))).toMatchObject({ ok: false, message: expect.stringContaining("levels") });
  });
});

describe("paths and lines", () => {
  it("splits a path into its segments", () => {
    expect(toSegments('$.states["a b"].after[0].x-y')).toEqual(["states", "a b", "after", 0, "x-y"]);
    expect(toSegments("$")).toEqual([]);
  });

  it("counts lines from one", () => {
    expect([0, 1, 2, 3].map((offset) => toLine("a\n\nb", offset))).toEqual([1, 1, 2, 3]);
  });
});
