import type { Json } from "@oven/contract";
import type { CompiledMachine } from "../compile/machine.ts";
import type { RunContext } from "../expressions/scope.ts";
import { type Cause, describeMove, toCause } from "./cause.ts";
import { onChild } from "./children.ts";
import { closeFrame } from "./close-frame.ts";
import { start } from "./deliver.ts";
import { Frame } from "./frame.ts";
import { leavesOf } from "./kernel.ts";
import { activeMs, NO_TOKENS } from "./node-units.ts";
import { onClock, onResumed, onTakeover } from "./on-clock.ts";
import { onDone, onFailed, onStarting, onWait } from "./on-result.ts";
import { onCancel, onDecision, onExternalEvent, onNote } from "./on-signal.ts";
import type { Plan, PlanEnvironment, PlanEvent, RunFacts, RunSnapshot } from "./plan-types.ts";
import { statusOf } from "./run-status.ts";
import { limitOf } from "./undo-steps.ts";

/** The first move of a run: its initial state is entered and the first nodes planned. */
export function planStart(
  compiled: CompiledMachine,
  facts: RunFacts,
  context: RunContext,
  environment: PlanEnvironment,
): Plan {
  const startedAt = new Date(environment.now).toISOString();
  const frame = new Frame(
    compiled,
    facts,
    {
      context,
      state: {
        value: {},
        ...(facts.config ? { config: facts.config } : {}),
        visits: {},
        units: [],
        steps: 0,
        tokenUsage: NO_TOKENS,
        costMicros: 0,
        simulated: false,
        activeMs: 0,
        activeSince: environment.now,
        startedAt,
        wakeAt: null,
        patchBytes: 0,
        snapshotBytes: 0,
      },
    },
    environment,
  );
  frame.event("execution.started", { kind: facts.kind, workflowId: facts.workflowId });
  frame.outbox.push({ name: "execution.started", custom: false, payload: {} });
  start(frame);
  const closed = closeFrame(frame, "running");
  if (compiled.checkpoints) noteCause(closed, { t: "start", ...(facts.config ? { config: facts.config } : {}) });
  return closed;
}

/**
 * One move of a run. Pure: the same snapshot, event and environment give the same plan, and the snapshot given stays
 * what it was.
 */
export function plan(
  compiled: CompiledMachine,
  facts: RunFacts,
  snapshot: RunSnapshot,
  event: PlanEvent,
  environment: PlanEnvironment,
): Plan {
  const frame = new Frame(compiled, facts, snapshot, environment);
  const before = statusOf(snapshot);
  if (!apply(frame, event)) return unchanged(compiled, snapshot);
  const spent = activeMs(frame);
  const limit = limitOf(frame.state, "activeMs", compiled.timeoutMs);
  if (!frame.end && spent >= limit && event.type !== "cancel") {
    frame.fail({ code: "TIME_LIMIT", nodeId: null, message: `The run was active for more than ${limit} ms` }, "limit");
  }
  if (compiled.checkpoints && frame.events.length === 0)
    frame.event("log", { level: "debug", message: describeMove(event) });
  const closed = closeFrame(frame, before, event.type === "decision" ? event.decision.action : undefined);
  if (compiled.checkpoints) noteCause(closed, toCause(event, frame.ownOps));
  return closed;
}

function noteCause({ events: [first] }: Plan, cause: Cause | undefined): void {
  if (first && cause) first.cause = cause as Json; // cast: a cause is JSON
}

/** False when the event is late: nothing it names is open any more. */
function apply(frame: Frame, event: PlanEvent): boolean {
  switch (event.type) {
    case "done":
      return onDone(frame, event);
    case "wait":
      return onWait(frame, event);
    case "failed":
      return onFailed(frame, event);
    case "starting":
      return onStarting(frame, event.unit);
    case "decision":
      return onDecision(frame, event.decision);
    case "note":
      return onNote(frame, event.note);
    case "event":
      return onExternalEvent(frame, event);
    case "child":
      return onChild(frame, event.child);
    case "cancel":
      return onCancel(frame, event);
    case "clock":
      return onClock(frame);
    case "takeover":
      return onTakeover(frame);
    case "resumed":
      return onResumed(frame);
  }
}

/** A plan in which nothing happens. */
export function unchanged(compiled: CompiledMachine, snapshot: RunSnapshot): Plan {
  const activeStates = leavesOf(compiled.machine, snapshot.state.value);
  return {
    snapshot,
    rows: [],
    reviews: [],
    events: [],
    outbox: [],
    children: [],
    cancelled: [],
    end: null,
    activeStates,
    changed: false,
  };
}
