import type { ModelBudget } from "@oven/contract/ai";
import { expect, it } from "vitest";
import { toShare, toTerms } from "./budget-words.ts";

const budget: ModelBudget = {
  ...{ id: 1, tenantId: 1, createdAt: "", updatedAt: "", name: "Cap", enabled: true },
  ...{ scope: "workflow", target: null, period: "day", limitMicros: 5_000_000, limitTokens: null, action: "block" },
};

it("says what a budget allows, to whom, and what follows", () => {
  expect(toTerms(budget)).toBe("$5 a day for each workflow; what goes beyond it is blocked.");
  expect(toTerms({ ...budget, scope: "run", period: "run", limitTokens: 1_000, action: "pause" })).toBe(
    "$5 and 1,000 tokens for each run; what goes beyond it waits for a person.",
  );
  expect(toTerms({ ...budget, scope: "key", target: "4", period: "month" })).toContain("a month for key 4;");
});

it("is as used up as the nearer of its limits", () => {
  const spent = { spentMicros: 1_000_000, spentTokens: 900 };
  expect(toShare({ limitMicros: 2_000_000, limitTokens: null }, spent)).toBe(0.5);
  expect(toShare({ limitMicros: 2_000_000, limitTokens: 1_000 }, spent)).toBe(0.9);
  expect(toShare({ limitMicros: null, limitTokens: 300 }, spent)).toBe(3);
});
