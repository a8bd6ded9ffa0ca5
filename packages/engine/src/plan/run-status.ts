import type { RunSnapshot } from "./plan-types.ts";

/** Whether everything waits for a person or an outside event. */
export function statusOf(snapshot: RunSnapshot): "running" | "paused" {
  const leaves = snapshot.state.units.filter((unit) => {
    if (unit.status === "open" || unit.status === "completed" || unit.status === "failed") return false;
    return unit.wait?.for !== "items";
  });
  const waits = leaves.filter((unit) => unit.status !== "queued");
  if (waits.length === 0) return "running";
  return waits.every((unit) => unit.status === "waiting" && unit.wait?.for !== "timer") ? "paused" : "running";
}
