import { expect, it } from "vitest";
import { toLabel } from "./to-label.ts";

it("makes a label of a name", () => {
  expect(["orderId", "due_in", "HTMLText", "amount"].map(toLabel)).toEqual([
    "Order id",
    "Due in",
    "Htmltext",
    "Amount",
  ]);
});
