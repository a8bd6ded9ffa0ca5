import { describe, expect, it } from "vitest";
import { indent, newLine, outdent, type TextChange } from "./indent.ts";

/** `|` marks the caret or both ends of the selection. */
function apply(marked: string, change: (text: string, start: number, end: number) => TextChange): string {
  const [before = "", middle, after] = marked.split("|");
  const text = marked.replaceAll("|", "");
  const start = before.length;
  const end = after === undefined ? start : start + (middle?.length ?? 0);
  const { from, to, insert, select } = change(text, start, end);
  const result = text.slice(0, from) + insert + text.slice(to);
  const [first, last] = select;
  return first === last
    ? `${result.slice(0, first)}|${result.slice(first)}`
    : `${result.slice(0, first)}|${result.slice(first, last)}|${result.slice(last)}`;
}

describe("Tab", () => {
  it("adds two spaces at the caret", () => {
    expect(apply("a|b", indent)).toBe("a  |b");
  });

  it("moves every selected line", () => {
    expect(apply("x\n|a\nb|\nc", indent)).toBe("x\n  |a\n  b|\nc");
  });
});

describe("Shift+Tab", () => {
  it("takes up to two spaces from the line", () => {
    expect(apply("   a|b", outdent)).toBe(" a|b");
    expect(apply("a|b", outdent)).toBe("a|b");
  });

  it("takes them from every touched line", () => {
    expect(apply("  |a\n  b\n c|", outdent)).toBe("|a\nb\nc|");
  });
});

describe("Enter", () => {
  it("keeps the depth of the line", () => {
    expect(apply('  "a": 1,|', newLine)).toBe('  "a": 1,\n  |');
  });

  it("goes one deeper after an opening bracket", () => {
    expect(apply('  "a": {|', newLine)).toBe('  "a": {\n    |');
  });

  it("puts the closing bracket on its own line", () => {
    expect(apply('  "a": {|}', newLine)).toBe('  "a": {\n    |\n  }');
  });
});
