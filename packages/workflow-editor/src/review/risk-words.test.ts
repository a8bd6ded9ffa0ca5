import { expect, it } from "vitest";
import { toRiskWords } from "./risk-words.ts";

it.each([
  ["nothing is called", { tool: null, risk: null }, null],
  ["pays", { tool: "pay", risk: { effect: "at-most-once", tags: ["money"] } }, [true, "moves money, cannot be undone"]],
  [
    "mails",
    { tool: "m", risk: { effect: "at-least-once", tags: ["outbound", "x", "a2a", "mcp", "api"] } },
    [true, "reaches outside, is tagged x, cannot be undone"],
  ],
  ["writes", { tool: "w", risk: { effect: "idempotent", tags: [] } }, [false, "changes something"]],
  [
    "reads",
    { tool: "r", risk: { effect: "pure", tags: ["outside-content"] } },
    [false, "changes nothing, reads what strangers wrote"],
  ],
  ["a tool that is gone", { tool: "g", risk: null }, [true, "may have effects that cannot be undone"]],
] as const)("says of what %s what it may do", (_name, { tool, risk }, expected) => {
  const words = toRiskWords({ tool, risk: risk && { ...risk, tags: [...risk.tags] } });
  expect(words && [words.high, words.words.join(", ")]).toEqual(expected);
});
