import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { asksAbout, evaluateCondition, isCondition } from "./approval-condition.ts";

describe("a condition over what is proposed", () => {
  it.each<[when: string, proposal: Json, outcome: string]>([
    ["args.amount > 100", { amount: 101 }, "holds"],
    ["args.amount > 100", { amount: 100.5 }, "holds"],
    ["args.amount > 100", { amount: 100 }, "fails"],
    ["args.amount > 100", { amount: "500" }, "unknown"],
    ["args.amount > 100", {}, "unknown"],
    ["args.amount > 100", null, "unknown"],
    ["args.amount", { amount: 7 }, "unknown"],
    ["!args.to.all(one, one.endsWith('@example.com'))", { to: ["a@example.com", "b@other.com"] }, "holds"],
    ["!args.to.all(one, one.endsWith('@example.com'))", { to: ["a@example.com"] }, "fails"],
    ["args.amount >", { amount: 1 }, "unknown"],
    ["ctx.amount > 1", { amount: 5 }, "unknown"],
  ])("%s on %j: %s", (when, proposal, outcome) => {
    expect(evaluateCondition(when, proposal)).toBe(outcome);
    expect(asksAbout(when, proposal)).toBe(outcome !== "fails");
  });

  it("is CEL or it is none", () => {
    expect(isCondition("args.amount > 100")).toBe(true);
    expect(isCondition("args.amount >")).toBe(false);
  });
});
