import { describe, expect, it } from "vitest";
import { toNextSteps } from "./next-steps.ts";

const actions = ["approve", "edit", "reject"];
const decision = (operator: string, value: unknown, key = "$.ask_output.action") => ({
  type: "condition",
  params: { key, operator, value },
});
const asking = (invoke: object) => ({
  initial: "ask",
  states: { ask: { invoke: { src: "agent.humanReview", ...invoke } } },
});
const steps = (invoke: object) =>
  toNextSteps(JSON.parse(JSON.stringify(asking(invoke))), { nodeId: "ask", actions })?.map(({ action, targets }) => [
    action,
    targets.join(" or "),
  ]);

describe("the steps that follow a review", () => {
  it("are those of the branches that ask about the decision", () => {
    const onDone = [{ target: "send", guard: decision("!=", "reject") }, { target: "tell" }];
    expect(steps({ onDone })).toEqual([
      ["approve", "send"],
      ["edit", "send"],
      ["reject", "tell"],
    ]);
  });

  it("are those of onError for a rejection that no branch asks about", () => {
    expect(steps({ onDone: "send", onError: "stop" })).toEqual([
      ["approve", "send"],
      ["edit", "send"],
      ["reject", "stop"],
    ]);
    expect(steps({ onDone: "send" })?.[2]).toEqual(["reject", ""]);
  });

  it("are several where another condition chooses", () => {
    const large = { type: "cel", params: { expression: "amount > 100" } };
    const onDone = [
      { target: "board", guard: { type: "all", guards: [decision("==", "approve"), large] } },
      { target: "send", guard: decision("in", ["approve", "edit"]) },
      { target: "tell" },
    ];
    expect(steps({ onDone })).toEqual([
      ["approve", "board or send"],
      ["edit", "send"],
      ["reject", "tell"],
    ]);
  });

  it("are computed from CEL that compares the decision, and from denials", () => {
    const cel = (expression: string) => ({ type: "cel", params: { expression } });
    const onDone = [
      { target: "tell", guard: cel('ask_output.action == "reject"') },
      { target: "send", guard: { type: "not", guard: decision("==", "edit", "output.action") } },
      { target: "check" },
    ];
    expect(steps({ onDone })).toEqual([
      ["approve", "send"],
      ["edit", "check"],
      ["reject", "tell"],
    ]);
  });

  it("are not known of a step that does more than ask, nor of one that is gone", () => {
    expect(steps({ src: "agent.toolLoop", onDone: "send" })).toBeUndefined();
    expect(toNextSteps({}, { nodeId: "ask", actions })).toBeNull();
  });
});
