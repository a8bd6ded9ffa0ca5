import type { ErrorInfo } from "@oven/contract/run";
import type { RunSignalData } from "../store.ts";
import { settle } from "./deliver.ts";
import type { Frame } from "./frame.ts";
import { addSpend, failUnit, findUnit, finishUnit, identify } from "./node-units.ts";
import { goOnWithItems, startNextItems } from "./on-items.ts";
import { goOn } from "./on-signal.ts";
import type { Unit } from "./run-state.ts";

/*
 * A child is a run of its own, created in the commit that plans it. The unit waits; the child tells it by a signal what
 * has become of it.
 */

/** False when nobody waits for this child any more. */
export function onChild(frame: Frame, child: RunSignalData["child"]): boolean {
  const unit = frame.state.units.find(
    ({ status, wait }) => status === "waiting" && wait?.for === "child" && wait.executionId === child.executionId,
  );
  if (unit?.wait?.for !== "child") return false;
  if (child.status === "running" || child.status === "paused") {
    unit.wait = { ...unit.wait, paused: child.status === "paused" };
    const message = `The run ${child.executionId} ${unit.wait.paused ? "waits for the outside" : "goes on"}`;
    frame.event("log", { ...identify(unit), level: "debug", message, data: { childId: child.executionId } });
    if (unit.wait.paused) startNextItems(frame, unit);
    return true;
  }
  frame.event("child.completed", { ...identify(unit), childId: child.executionId, status: child.status });
  const { tokenUsage, costMicros, simulated } = child;
  addSpend(frame, unit, { tokenUsage, costMicros, simulated });
  if (unit.item !== null) endItem(frame, unit, child);
  else {
    unit.tokenUsage = tokenUsage;
    unit.costMicros = costMicros;
    const { executionId, status, outcome, output, error } = child;
    const brief = error && { code: error.code, message: error.message };
    goOn(frame, unit, { type: "child", executionId, status, outcome, output, error: brief });
  }
  return true;
}

function endItem(frame: Frame, unit: Unit, child: RunSignalData["child"]): void {
  const { tokenUsage, costMicros } = child;
  const spend = { tokenUsage, costMicros };
  if (child.status === "completed") {
    finishUnit(frame, unit, { status: "completed", output: child.output, error: null, spend, toolCalls: null });
    goOnWithItems(frame, unit);
    return;
  }
  const error = toItemError(unit, child);
  finishUnit(frame, unit, { status: "failed", output: null, error, spend, toolCalls: null });
  const parent = findUnit(frame, unit.nodeId);
  if (parent?.wait?.for === "items" && parent.wait.failFast) {
    failUnit(frame, parent, error);
    settle(frame);
  } else goOnWithItems(frame, unit);
}

function toItemError({ nodeId, item }: Unit, { error, executionId }: RunSignalData["child"]): ErrorInfo {
  if (!error) return { code: "CHILD_FAILED", nodeId, message: `The run ${executionId} of item ${item} failed` };
  return {
    code: error.code,
    nodeId,
    message: `Item ${item}: ${error.message}`,
    details: { executionId, at: error.nodeId },
  };
}
