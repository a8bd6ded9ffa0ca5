import type { RunSnapshot } from "./plan-types.ts";
import type { Unit } from "./run-state.ts";

/** Whether everything waits for a person or an outside event. */
export function statusOf({ state }: RunSnapshot): "running" | "paused" {
  const idle = state.idle ?? [];
  const waits = state.units.filter((unit) => unit.status !== "open" && unit.wait?.for !== "items");
  if (waits.length === 0 && idle.length === 0) return "running";
  const outside = waits.every(waitsForOutside) && idle.every((leaf) => leaf.for === "event");
  return outside ? "paused" : "running";
}

/** Of a child: when the child does. */
function waitsForOutside({ status, wait }: Unit): boolean {
  if (status !== "waiting" || wait?.for === "timer") return false;
  return wait?.for !== "child" || wait.paused;
}
