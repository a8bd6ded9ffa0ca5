import type { Frame } from "./frame.ts";
import type { Unit } from "./run-state.ts";

/** The unit no longer waits for its child run: one that is only planned is not created, one that exists is cancelled. */
export function giveUpChild(frame: Frame, unit: Unit): void {
  if (unit.wait?.for !== "child") return;
  const planned = frame.children.findIndex((child) => child.unit === unit);
  if (planned >= 0) frame.children.splice(planned, 1);
  else frame.cancelled.push(unit.wait.executionId);
}
