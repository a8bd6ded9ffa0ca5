import type { Principal } from "@oven/contract";
import { expect, it } from "vitest";
import { callerOf } from "./caller-of.ts";

const principal: Principal = { kind: "api-key", userId: 2, tenantId: 1, permissions: ["*"], keyId: 4 };
const run = { executionId: 12, rootExecutionId: 10, nodeId: "ask", visit: 2, item: null };

it("a call outside of runs counts for its tenant, person and key", () => {
  expect(callerOf(principal, undefined)).toEqual({ tenantId: 1, userId: 2, keyId: 4 });
});

it("a call of a run counts for run, workflow and agent too", () => {
  expect(callerOf(principal, { ...run, workflow: "agent-workflow:7", agent: "3" })).toEqual({
    ...{ tenantId: 1, userId: 2, keyId: 4, executionId: 12, rootExecutionId: 10 },
    ...{ nodeId: "ask", workflow: "agent-workflow:7", agent: "3" },
  });
});

it("a recorded call is known by its place in the run, not by the run: another run finds it there", () => {
  const recording = { name: "suite", mode: "replay" as const, scope: "case 1" };
  const placed = (more: object) => callerOf(principal, { ...run, recording, ...more }).recording;
  expect(placed({})).toEqual({ name: "suite", mode: "replay", callKey: "case 1/ask/2" });
  expect(placed({ executionId: 99 })).toEqual(placed({}));
  expect(placed({ item: "call-a" })?.callKey).toBe("case 1/ask/2/call-a");
  expect(placed({ visit: 3 })).not.toEqual(placed({}));
});
