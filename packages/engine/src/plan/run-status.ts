import type { RunSnapshot } from "./plan-types.ts";

/** Whether everything waits for a person or an outside event. */
export function statusOf({ state }: RunSnapshot): "running" | "paused" {
  const idle = state.idle ?? [];
  const waits = state.units.filter((unit) => {
    if (unit.status === "open" || unit.status === "completed" || unit.status === "failed") return false;
    return unit.wait?.for !== "items" && unit.status !== "queued";
  });
  if (waits.length === 0 && idle.length === 0) return "running";
  const outside =
    waits.every((unit) => unit.status === "waiting" && unit.wait?.for !== "timer") &&
    idle.every((leaf) => leaf.for === "event");
  return outside ? "paused" : "running";
}
