import type { StateInfo } from "../compile/state-info.ts";
import { deliver } from "./deliver.ts";
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

/** The state is left: what has not fired never will. */
export function closeTimers(frame: Frame, stateId: string): void {
  frame.timers = frame.timers.filter((timer) => timer.stateId !== stateId);
}

/** Fires once, whether or not a guard lets it move anything. */
export function fireTimer(frame: Frame, timer: Timer): void {
  frame.timers = frame.timers.filter((other) => other !== timer);
  frame.state.timersFired = (frame.state.timersFired ?? 0) + 1;
  const { maxSteps } = frame.compiled;
  if (frame.state.timersFired > maxSteps) {
    const message = `Timers fired more than ${maxSteps} times; an after cycle never comes to an end`;
    frame.fail({ code: "STEP_LIMIT", nodeId: timer.stateId, message }, "limit");
    return;
  }
  const due = new Date(timer.at).toISOString();
  frame.event("log", {
    nodeId: timer.stateId,
    level: "debug",
    message: `The timer ${timer.key} has fired`,
    data: { due },
  });
  deliver(frame, { type: `oven.after.${timer.stateId}.${timer.key}` });
}

/** The earliest timer that is due; of two at one instant, the one that was begun first. */
export function dueTimer(frame: Frame): Timer | undefined {
  return frame.timers
    .filter(({ at, left }) => left === undefined && at <= frame.now)
    .reduce<Timer | undefined>((first, timer) => (first && first.at <= timer.at ? first : timer), undefined);
}
