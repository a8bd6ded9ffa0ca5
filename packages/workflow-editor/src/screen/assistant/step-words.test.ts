import { describe, expect, it } from "vitest";
import { toStepWords } from "./step-words.ts";
import { isChange } from "./use-following.ts";

describe("what the assistant does, in words", () => {
  it.each([
    ["build.change_steps", { put: { ask: {} }, remove: ["old"], rename: { a: "b" } }, "Changes steps", "ask, old, a"],
    ["build.read_steps", { workflow_id: 1, steps: ["ask", "answer"] }, "Reads steps", "ask, answer"],
    ["build.find_node_types", { query: "send mail" }, "Looks for node types", "send mail"],
    [
      "build.check_draft",
      { cases: [{ name: "a refund" }, { name: "a thank you" }] },
      "Runs the test cases",
      "a refund, a thank you",
    ],
    ["build.something_new", {}, "build.something_new", ""],
    ["constructor", null, "constructor", ""],
  ])("%s", (tool, given, title, detail) => {
    expect(toStepWords({ tool, arguments: given })).toEqual({ title, detail });
  });

  it("is looked at on the canvas once a change was made", () => {
    expect(isChange({ tool: "build.change_steps", state: "done" })).toBe(true);
    expect(isChange({ tool: "build.update_agent_workflow", state: "done" })).toBe(true);
    expect(isChange({ tool: "build.change_steps", state: "running" })).toBe(false);
    expect(isChange({ tool: "build.change_steps", state: "failed" })).toBe(false);
    expect(isChange({ tool: "build.read_steps", state: "done" })).toBe(false);
  });
});
