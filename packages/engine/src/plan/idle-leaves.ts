import type { StateInfo } from "../compile/state-info.ts";
import type { Frame } from "./frame.ts";
import type { IdleLeaf } from "./run-state.ts";

/**
 * Active leaves in which no node runs, and what moves them: an outside event (`on`) or a timer (`after`), their own or
 * that of a state around them; what is nearest decides. Ends of regions count only when nothing else is left.
 */
export function idleLeaves(frame: Frame, leaves: readonly string[], movable: boolean): IdleLeaf[] {
  const { states } = frame.compiled;
  const idle = leaves
    .flatMap((id) => states.get(id) ?? [])
    .filter(({ id }) => !frame.state.units.some((unit) => unit.nodeId === id));
  const resting = idle.filter(({ kind }) => kind !== "final");
  const considered = resting.length > 0 || movable ? resting : idle;
  return considered.flatMap((leaf) => toIdle(frame, leaf) ?? []);
}

function toIdle(frame: Frame, leaf: StateInfo): IdleLeaf | undefined {
  let nearest: IdleLeaf["for"] | undefined;
  const events: string[] = [];
  const instants: number[] = [];
  for (let at: StateInfo | undefined = leaf; at; at = at.parent) {
    const timers = frame.timers.filter(({ stateId, active }) => stateId === at.id && active !== true);
    if (at.on.length > 0) nearest ??= "event";
    else if (timers.length > 0) nearest ??= "timer";
    events.push(...at.on);
    instants.push(...timers.map((timer) => timer.at));
  }
  if (!nearest) return undefined;
  const dueAt = instants.length === 0 ? null : new Date(Math.min(...instants)).toISOString();
  return { stateId: leaf.id, for: nearest, events: [...new Set(events)], dueAt };
}
