import type { NodeRun } from "@oven/contract/run";
import { describe, expect, it } from "vitest";
import { findLostCall } from "./lost-call.ts";

// cast: of a node run only what names it is looked at
const run = (visit: number, item: string | null, input: object) => ({ nodeId: "pay", visit, item, input }) as NodeRun;
const NODES = [run(1, "call-1", { id: "17" }), run(2, "call-2", { id: "60" }), run(2, null, {})];
const ACTIONS = ["rerun", "supply", "fail"];

describe("the call of which a review asks whether it happened", () => {
  it("is found among the items of a step", () => {
    const proposal = { nodeId: "pay", visit: 2, item: "call-2" };
    expect(findLostCall({ actions: ACTIONS, proposal }, NODES)?.input).toEqual({ id: "60" });
  });

  it("is the step itself where it has no items", () => {
    expect(findLostCall({ actions: ACTIONS, proposal: { nodeId: "pay", visit: 2, item: null } }, NODES)).toBe(NODES[2]);
  });

  it("is not looked for where something else is asked, whatever is proposed", () => {
    const proposal = { nodeId: "pay", visit: 2, item: null };
    expect(findLostCall({ actions: ["approve", "reject"], proposal }, NODES)).toBeUndefined();
    expect(findLostCall({ actions: ACTIONS, proposal: ["pay", 2] }, NODES)).toBeUndefined();
    expect(
      findLostCall({ actions: ACTIONS, proposal: { nodeId: "gone", visit: 1, item: null } }, NODES),
    ).toBeUndefined();
  });
});
