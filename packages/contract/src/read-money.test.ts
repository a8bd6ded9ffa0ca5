import { describe, expect, it } from "vitest";
import { readMoney } from "./read-money.ts";

describe("readMoney", () => {
  it.each([
    ["amount", 12, "EUR", "€12.00"],
    ["amountCents", 1_250, "EUR", "€12.50"],
    ["total_price", 3, "JPY", "¥3"],
    ["amount_minor", 300, "JPY", "¥300"],
    ["refund", 0.1, "USD", "$0.10"],
  ])("writes %s %d in %s as %s", (name, value, currency, text) => {
    expect(readMoney(name, value, { currency }, "en")).toBe(text);
  });

  it.each([
    ["no currency", "amount", 12, {}],
    ["no amount", "orderId", 12, { currency: "EUR" }],
    ["no code of a currency", "amount", 12, { currency: "euro" }],
    ["a part of a cent", "amount", 0.005, { currency: "EUR" }],
    ["text", "amount", "12", { currency: "EUR" }],
  ] as const)("leaves alone what has %s", (_why, name, value, siblings) => {
    expect(readMoney(name, value, siblings, "en")).toBeNull();
  });
});
