import type { Guardrail, GuardrailRule } from "@oven/contract/ai";
import { describe, expect, it } from "vitest";
import { NEW_GUARDRAIL, toBody, toDraft, toRuleWords } from "./guardrail-words.ts";

const rules: GuardrailRule[] = [
  { kind: "keyword", words: ["hydra", "medusa", "cyclops", "minotaur", "sphinx"] },
  { kind: "pattern", pattern: "\\d{16}" },
  { kind: "schema", schema: { type: "object" } },
  { kind: "classifier", model: "fast", instructions: "Is it rude?", labels: ["rude", "fine"], unwanted: ["rude"] },
];
const common = { name: "House", direction: "input", action: "block", enabled: false } as const;
const row = (rule: GuardrailRule): Guardrail => ({ ...common, rule, id: 1, tenantId: 1, createdAt: "", updatedAt: "" });

describe("a guardrail's form", () => {
  it.each(rules)("says a rule of kind $kind back as it was", (rule) => {
    expect(toBody(toDraft(row(rule)))).toEqual({ ...common, rule });
  });

  it.each([
    {},
    { kind: "pattern" },
    { kind: "schema", schema: "[1]" },
    { kind: "schema", schema: "{" },
    { kind: "classifier", instructions: "x", labels: "a", unwanted: "a" },
    { words: "x", name: " " },
  ] as const)("sends nothing while something is missing: %j", (more) => {
    expect(toBody({ ...NEW_GUARDRAIL, name: "House", ...more })).toBeNull();
  });
});

it("a rule is told in a few words", () => {
  expect(rules.map(toRuleWords)).toEqual([
    "hydra, medusa, cyclops and 2 more",
    "\\d{16}",
    "what is not JSON of its schema",
    "what fast judges to be rude",
  ]);
});
