import type { NodeResult } from "@oven/contract/node";
import type { PlanEvent, UnitKey } from "../plan/plan-types.ts";
import type { Unit } from "../plan/run-state.ts";
import type { CallNotes } from "./node-call.ts";

/** One text for each call of a run. */
export function keyOf(unit: UnitKey): string {
  return `${unit.nodeId} ${unit.visit} ${unit.attempt} ${unit.item ?? ""}`;
}

export function toKey({ nodeId, visit, item, attempt }: Unit): UnitKey {
  return { nodeId, visit, item, attempt };
}

/** What a node answered, as the plan takes it. */
export function toResultEvent(unit: Unit, result: NodeResult, notes: CallNotes): PlanEvent {
  if (result.type === "done")
    return {
      type: "done",
      unit: toKey(unit),
      result: { ...result, output: result.output ?? null },
      emits: notes.emits,
    };
  const { spend, type: _type, ...wait } = result;
  return { type: "wait", unit: toKey(unit), wait, spend, emits: notes.emits };
}
