import { deliver } from "./deliver.ts";
import type { Frame } from "./frame.ts";
import type { Timer } from "./run-state.ts";

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
