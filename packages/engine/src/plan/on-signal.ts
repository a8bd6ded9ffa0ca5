import type { NodeSignal } from "@oven/contract/node";
import type { RunSignalData } from "../store.ts";
import { deliver, settle } from "./deliver.ts";
import type { Frame } from "./frame.ts";
import { giveUpChild } from "./give-up-child.ts";
import { noteLast } from "./loops.ts";
import { cancelUnit, closeReview, failUnit, finishUnit, identify, stateOf } from "./node-units.ts";
import { goOnWithItems } from "./on-items.ts";
import { settleFailure } from "./on-result.ts";
import type { PlanEvent } from "./plan-types.ts";
import type { Unit } from "./run-state.ts";

/** A person has decided: the node goes on with `resume`, or what a crash left open is settled. */
export function onDecision(frame: Frame, decision: RunSignalData["decision"]): boolean {
  const unit = frame.state.units.find((candidate) => waitsForReview(candidate, decision.reviewId));
  if (!unit) return false;
  if (decision.deadline && decision.action === "expire") {
    delete unit.wakeAt;
    closeReview(frame, unit, "expired");
    expire(frame, unit);
    return true;
  }
  const lost = unit.wait?.for === "review" && unit.wait.lost === true;
  frame.event("review.decided", {
    reviewId: decision.reviewId,
    ...identify(unit),
    action: decision.action,
    reviewer: decision.reviewer,
    reason: decision.reason,
    ...(decision.deadline ? { deadline: true } : {}),
  });
  delete unit.wait;
  delete unit.wakeAt;
  if (lost) settleLost(frame, unit, decision);
  else {
    const { action, data, reason, reviewer, decidedAt, digest } = decision;
    const review = digest === undefined ? {} : { review: { id: decision.reviewId, digest } };
    goOn(frame, unit, { type: "decision", action, data, reason, reviewer, decidedAt, ...review });
  }
  return true;
}

/** The run's log keeps what people said about its reviews. */
export function onNote(frame: Frame, { event, fields }: RunSignalData["note"]): boolean {
  frame.event(event, fields);
  return true;
}

function waitsForReview(unit: Unit, reviewId: number): boolean {
  return (
    unit.status === "waiting" &&
    (unit.wait?.for === "review" || unit.wait?.for === "input") &&
    unit.wait.reviewId === reviewId
  );
}

/** What a person says about an at-most-once call that was lost: run it again, give its output, or fail it. */
function settleLost(frame: Frame, unit: Unit, decision: RunSignalData["decision"]): void {
  unit.status = "running";
  if (decision.action === "rerun") {
    unit.status = "planned";
    unit.attempt += 1;
    frame.rows.push({
      type: "attempt",
      nodeId: unit.nodeId,
      visit: unit.visit,
      item: unit.item,
      attempt: unit.attempt,
      error: null,
    });
  } else if (decision.action === "supply") {
    finishUnit(frame, unit, {
      status: "completed",
      output: decision.data,
      error: null,
      spend: undefined,
      toolCalls: null,
    });
    if (unit.item !== null) goOnWithItems(frame, unit);
    else {
      frame.apply(
        [{ op: "output", path: `/${unit.nodeId}_output`, nodeId: unit.nodeId, visit: unit.visit }],
        decision.data,
      );
      noteLast(frame, stateOf(frame, unit.nodeId));
      deliver(frame, { type: `oven.done.${unit.nodeId}`, output: decision.data });
    }
  } else {
    const message = `${unit.nodeId} was interrupted by a crash and set to failed${decision.reason === null ? "" : `: ${decision.reason}`}`;
    settleFailure(frame, unit, {
      error: { code: "NODE_LOST", nodeId: unit.nodeId, message },
      retryable: false,
      retryAfterMs: undefined,
    });
  }
}

/** The unit will be called again, with what it waited for. */
export function goOn(frame: Frame, unit: Unit, signal: NodeSignal): void {
  unit.status = "planned";
  unit.resume = signal;
  delete unit.wait;
  delete unit.wakeAt;
  frame.rows.push({
    type: "attempt",
    nodeId: unit.nodeId,
    visit: unit.visit,
    item: unit.item,
    attempt: unit.attempt,
    error: null,
  });
}

/**
 * Nodes that wait for this event go on, and `on` handlers take it, innermost first. What nobody takes is not kept for
 * later, but said in the log.
 */
export function onExternalEvent(
  frame: Frame,
  { event, payload, correlation }: Extract<PlanEvent, { type: "event" }>,
): boolean {
  const waiting = frame.state.units.filter(
    (unit) =>
      unit.status === "waiting" &&
      unit.wait?.for === "event" &&
      unit.wait.event === event &&
      (unit.wait.correlation === null || unit.wait.correlation === correlation),
  );
  for (const unit of waiting) goOn(frame, unit, { type: "event", event, payload });
  frame.takenBy = waiting.map(({ nodeId }) => nodeId);
  deliver(frame, { type: `oven.event.${event}`, external: { name: event, payload, correlation } });
  if (waiting.length === 0 && !frame.eventTaken) {
    const message = `Nothing was waiting for the event ${event}`;
    frame.event("log", { level: "warn", message, data: { event, correlation } });
  }
  return true;
}

export function onCancel(frame: Frame, { reason, by }: Extract<PlanEvent, { type: "cancel" }>): boolean {
  for (const unit of [...frame.state.units]) cancelUnit(frame, unit);
  const message = reason === null ? `Cancelled by ${by}` : `Cancelled by ${by}: ${reason}`;
  frame.end = { status: "cancelled", outcome: null, output: null, error: { code: "CANCELLED", nodeId: null, message } };
  return true;
}

/** A wait's deadline has passed without an answer. */
export function expire(frame: Frame, unit: Unit): void {
  const what = unit.wait?.for === "child" ? "its child run" : (unit.wait?.for ?? "an answer");
  const message = `${unit.nodeId} waited for ${what} until its deadline`;
  const code = unit.wait?.for === "event" || unit.wait?.for === "child" ? "WAIT_TIMEOUT" : "REVIEW_EXPIRED";
  giveUpChild(frame, unit);
  if (unit.item === null) {
    failUnit(frame, unit, { code, nodeId: unit.nodeId, message });
    settle(frame);
    return;
  }
  unit.status = "running";
  settleFailure(frame, unit, {
    error: { code, nodeId: unit.nodeId, message },
    retryable: false,
    retryAfterMs: undefined,
  });
}
