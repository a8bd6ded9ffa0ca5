import { expect, it } from "vitest";
import { isLongText, toLabel } from "./labels.ts";

it("makes a label of a name", () => {
  expect(["orderId", "due_in", "HTMLText", "amount"].map(toLabel)).toEqual([
    "Order id",
    "Due in",
    "Htmltext",
    "Amount",
  ]);
});

it("gives texts that are written several lines", () => {
  expect(["systemPrompt", "message", "email"].map((name) => isLongText(name))).toEqual([true, true, false]);
  expect(isLongText("email", { type: "string", contentMediaType: "text/plain" })).toBe(true);
});
