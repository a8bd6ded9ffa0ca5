import { describe, expect, it } from "vitest";
import { readList } from "./list-view.tsx";

describe("readList", () => {
  it("reads lists of plain values, and rows with the fields that any of them has", () => {
    expect(readList(["late", 2, null])).toEqual({ kind: "values", texts: ["late", "2", "–"] });
    expect(readList([{ sku: "a" }, { sku: "b", count: 2 }])).toMatchObject({ kind: "rows", columns: ["sku", "count"] });
  });

  it.each([[[]], [[{ a: [1] }]], [["x".repeat(200)]], [[1, { a: 1 }]], [{ a: 1 }], ["text"], [[{}]]])(
    "leaves %j to be shown as a tree",
    (value) => expect(readList(value)).toBeNull(),
  );
});
