import { expect, it } from "vitest";
import { labelOf, labelsOf } from "./label-of.ts";

const document = {
  initial: "a",
  states: { a: { label: "Refund" }, b: { label: "Refund" }, c: { label: " " }, d: { type: "final" } },
};

it("calls a state by its label, else by its id", () => {
  expect(["a", "c", "d", "gone"].map((id) => labelOf(document, id))).toEqual(["Refund", "c", "d", "gone"]);
});

it("tells states of the same label apart by their ids", () => {
  expect([...labelsOf(document, ["a", "b", "d"]).values()]).toEqual(["Refund (a)", "Refund (b)", "d"]);
});
