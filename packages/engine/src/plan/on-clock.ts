import { deliverError } from "./deliver.ts";
import { fireTimer } from "./fire-timer.ts";
import type { Frame } from "./frame.ts";
import { MAX_TAKEOVERS } from "./limits.ts";
import { askWhatHappened } from "./lost-call.ts";
import { activeMs, closeReview, identify } from "./node-units.ts";
import { settleFailure, spreadOf } from "./on-result.ts";
import { expire, goOn } from "./on-signal.ts";
import { takeoverDelayMs } from "./retry.ts";
import { reviewDue } from "./review-due.ts";
import type { Unit } from "./run-state.ts";
import { dueTimer, shiftTimers } from "./timers.ts";
import { limitOf } from "./undo-steps.ts";

/** Looks at what time has brought: attempts due, waits over, composites and runs out of time. */
export function onClock(frame: Frame): boolean {
  let changed = false;
  while (!frame.end) {
    const unit = dueUnit(frame);
    const timer = dueTimer(frame);
    // In the order in which time brought them, also when all of it is looked at late.
    if (timer && (unit?.wakeAt === undefined || timer.at <= unit.wakeAt)) fireTimer(frame, timer);
    else if (unit) wake(frame, unit);
    else break;
    changed = true;
  }
  const active = activeMs(frame);
  for (const unit of [...frame.state.units]) {
    if (
      frame.end ||
      unit.deadlineActiveMs === undefined ||
      unit.deadlineActiveMs > active ||
      !frame.state.units.includes(unit)
    )
      continue;
    delete unit.deadlineActiveMs;
    deliverError(frame, unit.nodeId, {
      code: "NODE_TIMEOUT",
      nodeId: unit.nodeId,
      message: `${unit.nodeId} took longer than its timeoutMs`,
    });
    changed = true;
  }
  return changed || active >= limitOf(frame.state, "activeMs", frame.compiled.timeoutMs);
}

function dueUnit(frame: Frame): Unit | undefined {
  return frame.state.units
    .filter(({ wakeAt }) => wakeAt !== undefined && wakeAt <= frame.now)
    .reduce<Unit | undefined>(
      (first, unit) => ((first?.wakeAt ?? Infinity) <= (unit.wakeAt ?? 0) ? first : unit),
      undefined,
    );
}

function wake(frame: Frame, unit: Unit): void {
  delete unit.wakeAt;
  if (unit.status === "backoff") {
    callAgain(frame, unit);
    frame.event("node.started", { ...identify(unit), attempt: unit.attempt });
  } else if (unit.wait?.for === "timer") goOn(frame, unit, { type: "timer", dueAt: unit.wait.dueAt });
  else if ((unit.wait?.for === "review" || unit.wait?.for === "input") && unit.wait.onDeadline !== undefined)
    reviewDue(frame, unit, unit.wait, unit.wait.onDeadline);
  else if (unit.wait) {
    closeReview(frame, unit, "expired");
    expire(frame, unit);
  }
}

/** The run was held, or its process was stopped: since its last commit no step of it was at work. */
export function onResumed(frame: Frame): boolean {
  const { activeSince } = frame.state;
  if (activeSince === null) return false;
  frame.state.activeSince = frame.now;
  shiftTimers(frame, Math.max(0, frame.now - activeSince));
  return true;
}

const STOPPED =
  "The process stopped after this step was started and before its outcome was recorded. It may have had its effect.";

/**
 * A new worker holds the run. Calls in flight are made again, except at-most-once ones whose start is recorded: a
 * person decides about those.
 */
export function onTakeover(frame: Frame): boolean {
  frame.state.activeSince = frame.state.activeSince === null ? null : frame.now;
  const inFlight = frame.state.units.filter(
    (unit) => unit.status === "running" || (unit.status === "planned" && unit.effect !== "at-most-once"),
  );
  for (const unit of inFlight) {
    unit.takeovers += 1;
    if (unit.effect === "at-most-once") askWhatHappened(frame, unit, STOPPED);
    else if (unit.takeovers > MAX_TAKEOVERS) {
      const message = `${unit.nodeId} was lost with its worker ${unit.takeovers} times`;
      settleFailure(frame, unit, {
        error: { code: "NODE_LOST", nodeId: unit.nodeId, message },
        retryable: false,
        retryAfterMs: undefined,
      });
    } else {
      frame.event("text.discarded", { ...identify(unit), attempt: unit.attempt });
      if (unit.takeovers === 1) callAgain(frame, unit);
      else {
        // Whatever takes the worker down must not take its neighbours down each time: those that come earlier get through.
        unit.status = "backoff";
        unit.wakeAt = frame.now + takeoverDelayMs(unit.takeovers, spreadOf(frame, unit));
      }
    }
  }
  return inFlight.length > 0;
}

function callAgain(frame: Frame, unit: Unit): void {
  unit.status = "planned";
  unit.attempt += 1;
  const { nodeId, visit, item, attempt } = unit;
  frame.rows.push({ type: "attempt", nodeId, visit, item, attempt, error: null });
}

/** How many reviews a takeover of this state may open. */
export function countLost(units: readonly Unit[]): number {
  return units.filter((unit) => unit.status === "running" && unit.effect === "at-most-once").length;
}
