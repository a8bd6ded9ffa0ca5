import { expect, it } from "vitest";
import { findInValue } from "./find-in-value.ts";

it("finds texts and names anywhere in a value, with the text around them", () => {
  const value = { order: { items: [{ name: "Kettle" }, { name: "Blue kettle" }], note: "x".repeat(200) }, kettles: 2 };
  expect(findInValue(value, "KETTLE", 10)).toEqual([
    { path: "order.items[0].name", text: "Kettle" },
    { path: "order.items[1].name", text: "Blue kettle" },
    { path: "kettles", text: "2" },
  ]);
  expect(findInValue(value, "kettle", 2)).toHaveLength(2);
  expect(findInValue(value, "none", 10)).toEqual([]);
  const long = findInValue({ text: `${"a".repeat(300)} needle ${"b".repeat(300)}` }, "needle", 10);
  expect(long[0]?.text).toMatch(/^…a+ needle b+…$/);
  expect(long[0]?.text.length).toBeLessThan(180);
});
