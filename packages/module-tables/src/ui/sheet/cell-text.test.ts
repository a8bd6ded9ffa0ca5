import { describe, expect, it } from "vitest";
import { fromBlock, fromCellText, toBlock, toCellText } from "./cell-text.ts";

const column = (type: "text" | "number" | "boolean" | "json") => ({
  ...{ key: "c1", name: "a", type, required: false, unique: false, indexed: false },
});

describe("texts of cells", () => {
  it("are values again", () => {
    expect(fromCellText(column("number"), "1.50")).toBe(1.5);
    expect(fromCellText(column("number"), " ")).toBeNull();
    expect(fromCellText(column("text"), " ")).toBe(" ");
    expect(fromCellText(column("boolean"), "Ja")).toBe(true);
    expect(fromCellText(column("json"), '{"a":1}')).toEqual({ a: 1 });
    expect(() => fromCellText(column("number"), "x")).toThrow("must be a number");
    expect(() => fromCellText(column("number"), "9007199254740993")).toThrow("exactly");
    expect(toCellText({ a: [1] })).toBe('{"a":[1]}');
    expect(toCellText(null)).toBe("");
  });

  it("go to spreadsheets and come back as one block", () => {
    const block = [
      ["a", 'say "x"', ""],
      ["two\nlines", "tab\there", "=1"],
    ];
    expect(fromBlock(toBlock(block))).toEqual(block);
    expect(fromBlock("a\tb\r\n1\t\r\n")).toEqual([
      ["a", "b"],
      ["1", ""],
    ]);
    expect(fromBlock("")).toEqual([]);
  });
});
