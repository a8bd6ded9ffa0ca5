import type { StateInfo } from "../compile/state-info.ts";
import type { Frame } from "./frame.ts";
import type { Timer } from "./run-state.ts";

/** A state is entered: each entry of its `after` begins to run, anew when XState enters what it had not left. */
export function openTimers(frame: Frame, state: StateInfo): void {
  if (state.after.length > 0) closeTimers(frame, state.id);
  for (const { key, milliseconds, active } of state.after) {
    frame.timers.push({ stateId: state.id, key, at: frame.now + milliseconds, ...(active ? { active } : {}) });
  }
}

/** Timers of active time stand still from the commit after which no step works to the one that begins the next. */
export function holdTimers(frame: Frame, active: boolean): void {
  frame.timers = frame.timers.map((timer) => {
    const { left, ...running } = timer;
    if (timer.active !== true || active === (left === undefined)) return timer;
    return left === undefined
      ? { ...timer, left: Math.max(0, timer.at - frame.now) }
      : { ...running, at: frame.now + left };
  });
}

/** Timers of active time that run are due later by what did not count. */
export function shiftTimers(frame: Frame, milliseconds: number): void {
  frame.timers = frame.timers.map((timer) =>
    timer.active === true && timer.left === undefined ? { ...timer, at: timer.at + milliseconds } : timer,
  );
}

/** The state is left: what has not fired never will. */
export function closeTimers(frame: Frame, stateId: string): void {
  frame.timers = frame.timers.filter((timer) => timer.stateId !== stateId);
}

/** The earliest timer that is due; of two at one instant, the one that was begun first. */
export function dueTimer(frame: Frame): Timer | undefined {
  return frame.timers
    .filter(({ at, left }) => left === undefined && at <= frame.now)
    .reduce<Timer | undefined>((first, timer) => (first && first.at <= timer.at ? first : timer), undefined);
}
