import { type Json, OvenError } from "@oven/contract";
import type { ErrorInfo } from "@oven/contract/run";
import { hashJson } from "../compile/content-hash.ts";
import { beginChild } from "./begin-child.ts";
import { parsePointer } from "./context.ts";
import { deliver, deliverError, settle } from "./deliver.ts";
import type { Frame } from "./frame.ts";
import { MAX_OUTPUT_BYTES } from "./limits.ts";
import { noteLast } from "./loops.ts";
import { askWhatHappened } from "./lost-call.ts";
import { addSpend, failUnit, findUnit, finishUnit, identify, stateOf, totalSpend } from "./node-units.ts";
import { goOnWithItems, openItems, startNextItems } from "./on-items.ts";
import { openReview } from "./open-review.ts";
import type { NodeFailure, PlanEvent, UnitKey } from "./plan-types.ts";
import { backoffMs } from "./retry.ts";
import type { Unit } from "./run-state.ts";

type EventOf<T extends PlanEvent["type"]> = Extract<PlanEvent, { type: T }>;

/** The unit a result belongs to; undefined when the result is late. */
function match(frame: Frame, key: UnitKey): Unit | undefined {
  const unit = findUnit(frame, key.nodeId, key.item);
  const open = unit && (unit.status === "running" || unit.status === "planned");
  return open && unit.visit === key.visit && unit.attempt === key.attempt ? unit : undefined;
}

/** The start of an at-most-once call is recorded before the call is made. */
export function onStarting(frame: Frame, key: UnitKey): boolean {
  const unit = match(frame, key);
  if (!unit || unit.status === "running") return false;
  unit.status = "running";
  return true;
}

export function onDone(frame: Frame, { unit: key, result, emits }: EventOf<"done">): boolean {
  const unit = match(frame, key);
  if (!unit) return false;
  const bytes = JSON.stringify(result.output).length;
  if (bytes > MAX_OUTPUT_BYTES) {
    const error = {
      code: "OUTPUT_LIMIT",
      nodeId: unit.nodeId,
      message: `The output of ${unit.nodeId} has ${bytes} bytes; the limit is ${MAX_OUTPUT_BYTES}`,
    };
    finishUnit(frame, unit, { status: "failed", output: null, error, spend: result.spend, toolCalls: null });
    frame.fail(error, "limit");
    return true;
  }
  frame.outbox.push(...emits);
  addSpend(frame, unit, result.spend);
  const rejected = toRejection(frame, unit, result.output);
  try {
    frame.apply((result.patch ?? []).filter((op) => parsePointer(op.path).length > 0));
    frame.ownOps = frame.ops.length;
  } catch (cause) {
    if (!(cause instanceof OvenError)) throw cause;
    const error = { code: cause.code, nodeId: unit.nodeId, message: cause.message };
    settleFailure(frame, unit, { error, retryable: false, retryAfterMs: undefined });
    return true;
  }
  finishUnit(frame, unit, {
    status: "completed",
    output: result.output,
    error: null,
    spend: totalSpend(unit, result.spend),
    toolCalls: result.toolCalls ?? null,
  });
  if (unit.item !== null) {
    goOnWithItems(frame, unit);
    return true;
  }
  const path = `/${unit.nodeId}_output`;
  frame.apply([{ op: "output", path, nodeId: unit.nodeId, visit: unit.visit }], result.output);
  noteLast(frame, stateOf(frame, unit.nodeId));
  if (frame.facts.options?.until === unit.nodeId) frame.endPartially(result.output);
  else if (result.stop)
    frame.end = { status: "completed", outcome: result.stop.outcome, output: result.stop.output, error: null };
  else if (rejected) deliverError(frame, unit.nodeId, rejected);
  else deliver(frame, { type: `oven.done.${unit.nodeId}`, output: result.output });
  return true;
}

/** A rejection is an error unless a guard of `onDone` reads the decision. */
function toRejection(frame: Frame, unit: Unit, output: Json): ErrorInfo | undefined {
  const signal = unit.resume;
  if (unit.item !== null || signal?.type !== "decision" || signal.action !== "reject") return undefined;
  if (stateOf(frame, unit.nodeId).invoke?.readsDecision) return undefined;
  const reason = signal.reason === null ? "" : `: ${signal.reason}`;
  return {
    code: "REVIEW_REJECTED",
    nodeId: unit.nodeId,
    message: `The review ${unit.nodeId} was rejected${reason}`,
    details: { reason: signal.reason, output },
  };
}

export function onWait(frame: Frame, { unit: key, wait, spend, emits }: EventOf<"wait">): boolean {
  const unit = match(frame, key);
  if (!unit) return false;
  frame.outbox.push(...emits);
  addSpend(frame, unit, spend);
  beginWait(frame, unit, wait);
  if (unit.item !== null) startNextItems(frame, unit);
  return true;
}

function beginWait(frame: Frame, unit: Unit, wait: EventOf<"wait">["wait"]): void {
  unit.status = "waiting";
  delete unit.resume;
  switch (wait.for) {
    case "review":
    case "input":
      openReview(frame, unit, wait.for, wait.request);
      frame.rows.push({
        type: "wait",
        nodeId: unit.nodeId,
        visit: unit.visit,
        item: unit.item,
        status: "paused",
        wait,
      });
      return;
    case "timer":
      unit.wait = { for: "timer", dueAt: wait.request.dueAt };
      unit.wakeAt = Date.parse(wait.request.dueAt);
      frame.rows.push({
        type: "wait",
        nodeId: unit.nodeId,
        visit: unit.visit,
        item: unit.item,
        status: "running",
        wait,
      });
      return;
    case "event":
      unit.wait = { for: "event", ...wait.request };
      if (wait.request.dueAt !== null) unit.wakeAt = Date.parse(wait.request.dueAt);
      frame.rows.push({
        type: "wait",
        nodeId: unit.nodeId,
        visit: unit.visit,
        item: unit.item,
        status: "paused",
        wait,
      });
      frame.event("node.paused", { ...identify(unit), for: "event", reviewId: null, dueAt: wait.request.dueAt });
      return;
    case "items":
      frame.rows.push({
        type: "wait",
        nodeId: unit.nodeId,
        visit: unit.visit,
        item: unit.item,
        status: "running",
        wait,
      });
      openItems(frame, unit, wait.request);
      return;
    case "child": {
      const { dueAt, ...request } = wait.request;
      frame.rows.push({
        type: "wait",
        nodeId: unit.nodeId,
        visit: unit.visit,
        item: unit.item,
        status: "running",
        wait,
      });
      beginChild(frame, unit, request, dueAt);
      return;
    }
  }
}

export function onFailed(frame: Frame, { unit: key, failure, emits, discardText }: EventOf<"failed">): boolean {
  const unit = match(frame, key);
  if (!unit) return false;
  frame.outbox.push(...emits);
  if (discardText) frame.event("text.discarded", { ...identify(unit), attempt: unit.attempt });
  settleFailure(frame, unit, failure);
  return true;
}

/** In [0, 1): different for every run and attempt, and the same whenever the run is gone through again. */
export function spreadOf({ facts }: Frame, { nodeId, visit, item, failures, takeovers }: Unit): number {
  const hash = hashJson([facts.id, nodeId, visit, item, failures, takeovers]);
  return Number.parseInt(hash.slice(0, 8), 16) / 2 ** 32;
}

/**
 * Tries again later when the class of the error, the effect and the policy allow. An at-most-once call that may have been made is a
 * person's to settle; else the node has failed.
 */
export function settleFailure(frame: Frame, unit: Unit, failure: NodeFailure): void {
  if (failure.uncertain && unit.effect === "at-most-once") {
    askWhatHappened(frame, unit, failure.error.message);
    return;
  }
  const policy = stateOf(frame, unit.nodeId).invoke?.retry;
  unit.failures += 1;
  const mayRetry =
    failure.retryable && unit.effect !== "at-most-once" && policy !== undefined && unit.failures < policy.maxAttempts;
  if (mayRetry) {
    unit.status = "backoff";
    unit.wakeAt = frame.now + backoffMs(policy, unit.failures, spreadOf(frame, unit), failure.retryAfterMs);
    frame.rows.push({
      type: "attempt",
      nodeId: unit.nodeId,
      visit: unit.visit,
      item: unit.item,
      attempt: unit.attempt,
      error: failure.error,
    });
    const message = `Attempt ${unit.attempt} of ${unit.nodeId} failed: ${failure.error.message}`;
    frame.event("log", {
      ...identify(unit),
      level: "warn",
      message,
      data: { code: failure.error.code, retryAt: new Date(unit.wakeAt).toISOString() },
    });
    return;
  }
  if (unit.item === null) {
    failUnit(frame, unit, failure.error);
    settle(frame);
    return;
  }
  finishUnit(frame, unit, { status: "failed", output: null, error: failure.error, spend: undefined, toolCalls: null });
  goOnWithItems(frame, unit);
}
