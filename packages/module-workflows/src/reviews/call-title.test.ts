import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { toCallTitle } from "./call-title.ts";

const schema = {
  type: "object",
  properties: { reason: { type: "string" }, orderId: { type: "integer" }, amount: { type: "number" } },
  required: ["orderId", "amount"],
};
const title = (proposal: Json, inputSchema = schema) =>
  toCallTitle({ title: "Refund an order", inputSchema }, proposal);

describe("the title of a review of a call", () => {
  it("names the arguments that tell it from others, the needed ones first, money by its currency", () => {
    expect(title({ reason: "late", currency: "EUR", amount: 12, orderId: 8841 })).toBe(
      "Refund an order: 8841, €12.00, late",
    );
    expect(title({ orderId: 1, amount: 2 })).toBe("Refund an order: 1, 2");
  });

  it("shortens long texts to one line, and leaves out what is no plain value", () => {
    const text = title({ reason: `first line\n${"word ".repeat(50)}`, lines: [1], orderId: null });
    expect(text).toMatch(/^Refund an order: first line word [^\n]*…$/);
    expect(text.length).toBeLessThan(80);
    expect(title({ lines: [1] })).toBe("Approve: Refund an order");
    expect(title("text")).toBe("Approve: Refund an order");
  });
});
