import { listTransitions, WORKFLOW } from "@oven/scope";
import { describe, expect, it } from "vitest";
import { canConnect } from "./can-connect.ts";
import { isRefused } from "./edit.ts";
import { addOutcome } from "./operations/add-outcome.ts";
import { reconnectTarget } from "./operations/connect.ts";

const DEFINITION = {
  initial: "a",
  on: { stop: "a" },
  states: {
    a: { always: "rounds" },
    rounds: { loop: { type: "forEach", collection: "$.x", bodyInitial: "inner", bodyStates: { inner: {} } } },
    both: { type: "parallel", states: { left: { initial: "l", states: { l: {} } } } },
  },
};

describe("what the workflow handles itself", () => {
  it("may lead anywhere but into a loop", () => {
    expect(canConnect(DEFINITION, WORKFLOW, "l")).toEqual({ ok: true });
    const reason = "inner is inside the loop rounds: lead to the loop itself";
    expect(canConnect(DEFINITION, WORKFLOW, "inner")).toEqual({ ok: false, reason });
    const [stop = null] = listTransitions(DEFINITION);
    expect(reconnectTarget(DEFINITION, stop, "inner")).toEqual({ ok: false, reason });
    expect(reconnectTarget(DEFINITION, stop, "rounds")).toMatchObject({ document: { on: { stop: "rounds" } } });
  });

  it("takes another event, once", () => {
    const added = addOutcome(DEFINITION, WORKFLOW, "event", "orders.*");
    if (isRefused(added)) throw new Error(added.reason);
    expect(added.document.on).toEqual({ stop: "a", "orders.*": {} });
    expect(addOutcome(DEFINITION, WORKFLOW, "event", "stop")).toEqual({ reason: "The workflow has that already" });
    expect(addOutcome(DEFINITION, WORKFLOW, "timer", "PT1M")).toEqual({ reason: "A workflow handles events only" });
  });
});
