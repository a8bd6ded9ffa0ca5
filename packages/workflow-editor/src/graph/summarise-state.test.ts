import { describe, expect, it } from "vitest";
import { summariseInvoke, summariseLoop } from "./summarise-state.ts";

describe("the line on a card", () => {
  it.each([
    ["agent.llm", { model: "fast" }, {}, "fast"],
    ["agent.llm", {}, { agentConfig: { model: "smart" } }, "smart"],
    ["agent.llm", {}, {}, "default model"],
    ["agent.toolLoop", { model: "fast", tools: ["orders.get", "orders.policy"] }, {}, "fast · 2 tools"],
    ["agent.toolLoop", { model: "fast", tools: ["orders.*"] }, {}, "fast · orders.*"],
    ["agent.humanReview", { assignees: ["role:support-lead"], dueIn: "P1D" }, {}, "for support-lead · due P1D"],
    ["agent.humanReview", {}, {}, "for anyone who may decide"],
    ["agent.prompt", { template: "Dear\n  {{ $.name }}" }, {}, "Dear {{ $.name }}"],
    ["core.delay", { duration: "PT5M", meta: {} }, {}, "duration: PT5M"],
    ["core.log", {}, {}, ""],
  ])("%s %j says %j", (src, input, definition, line) => {
    expect(summariseInvoke(src, input, definition)).toBe(line);
  });

  it("is cut where the card ends", () => {
    expect(summariseInvoke("agent.prompt", { text: "word ".repeat(40) }, {})).toMatch(/^.{41}…$/);
  });

  it("says what a loop goes over", () => {
    expect(summariseLoop({ type: "forEach", collection: "$.trigger.orders" })).toBe("for each of $.trigger.orders");
    expect(
      summariseLoop({
        type: "while",
        condition: { type: "condition", params: { key: "$.n", operator: "<", value: 3 } },
      }),
    ).toBe("while n < 3");
  });
});
