import type { ChildRequest } from "@oven/contract/node";
import type { RunOptions } from "@oven/contract/run";
import type { Frame } from "./frame.ts";
import { MAX_DEPTH } from "./limits.ts";
import { identify } from "./node-units.ts";
import type { Unit } from "./run-state.ts";

/** `request` is null for an item: the runner has it. */
export function beginChild(frame: Frame, unit: Unit, request: ChildRequest | null, dueAt: string | null): void {
  const depth = (frame.facts.depth ?? 0) + 1;
  if (depth > MAX_DEPTH) {
    const message = `${unit.nodeId} would start a run inside ${MAX_DEPTH} others; no run is nested deeper than that`;
    frame.fail({ code: "DEPTH_LIMIT", nodeId: unit.nodeId, message }, "limit");
    return;
  }
  unit.status = "waiting";
  unit.wait = { for: "child", executionId: 0, paused: false, dueAt };
  if (dueAt !== null) unit.wakeAt = Date.parse(dueAt);
  frame.event("child.started", { ...identify(unit), childId: 0 });
  const event = frame.events.at(-1);
  if (event) frame.children.push({ unit, event, depth, options: inherited(frame, unit), request });
}

/** A child may spend what is left of its parent's budget, and is a test, dry, recorded and kept from effects as its parent is. */
function inherited(frame: Frame, { nodeId, visit, item }: Unit): RunOptions | null {
  const { maxTokens, maxCostMicros } = frame.budget;
  const { tokenUsage, costMicros } = frame.state;
  const { dryRun, recording, refuseEffects, test } = frame.facts.options ?? {};
  const place = [nodeId, visit, ...(item === null ? [] : [item])].join(":");
  const options: RunOptions = {
    ...(dryRun ? { dryRun } : {}),
    ...(recording === undefined ? {} : { recording: { ...recording, scope: `${recording.scope}/${place}` } }),
    ...(test ? { test } : {}),
    ...(refuseEffects ? { refuseEffects } : {}),
    ...(maxTokens === undefined ? {} : { maxTokens: Math.max(0, maxTokens - tokenUsage.total) }),
    ...(maxCostMicros === undefined ? {} : { maxCostMicros: Math.max(0, maxCostMicros - costMicros) }),
  };
  return Object.keys(options).length === 0 ? null : options;
}
