import type { Frame } from "./frame.ts";
import { idleLeaves } from "./idle-leaves.ts";
import { leavesOf } from "./kernel.ts";
import { activeMs, closeUnit, writeStarts } from "./node-units.ts";
import type { Plan, RunSnapshot } from "./plan-types.ts";
import type { RunState } from "./run-state.ts";
import { statusOf } from "./run-status.ts";
import { holdTimers } from "./timers.ts";
import { undoBeforeEnd } from "./undo.ts";

/** Turns the working copy into a plan: starts are written, the end is settled, the status change is said. */
export function closeFrame(frame: Frame, before: "running" | "paused", decision?: string): Plan {
  const { state } = frame;
  undoBeforeEnd(frame);
  const leaves = leavesOf(frame.compiled.machine, state.value);
  const idle = frame.end ? [] : idleLeaves(frame, leaves, canMove(frame));
  if (!frame.end && idle.length === 0 && !canMove(frame)) {
    const where = leaves.join(", ");
    frame.fail({ code: "STUCK", nodeId: null, message: `Nothing can move the run any more; it stopped at ${where}` });
    undoBeforeEnd(frame);
  }
  if (frame.end) closeUnits(frame);
  else writeStarts(frame);

  const active = state.units.some((unit) => unit.status === "planned" || unit.status === "running");
  holdTimers(frame, active);
  keep(state, "timers", frame.end ? [] : frame.timers);
  keep(state, "loops", frame.end ? [] : frame.loops);
  keep(state, "idle", idle);
  state.activeMs = activeMs(frame);
  state.activeSince = active && !frame.end ? frame.now : null;

  const snapshot: RunSnapshot = { state, context: frame.context };
  if (frame.end) sayEnd(frame);
  else saySwitch(frame, before, statusOf(snapshot), decision);
  const [first] = frame.events;
  if (first && frame.ops.length > 0) first.patch = frame.ops;
  return {
    snapshot,
    rows: frame.rows,
    reviews: frame.reviews,
    events: frame.events,
    outbox: frame.outbox,
    children: frame.children,
    cancelled: frame.cancelled,
    end: frame.end,
    activeStates: leaves,
    changed: true,
  };
}

/** The state is stored whole with every commit: what is empty is left out. */
function keep<K extends "timers" | "loops" | "idle">(state: RunState, key: K, list: NonNullable<RunState[K]>): void {
  if (list.length > 0) state[key] = list;
  else delete state[key];
}

function canMove(frame: Frame): boolean {
  return frame.state.units.some((unit) => unit.status !== "open");
}

/** What is still open when the run ends is cancelled and shown so; what was only just planned never was. */
function closeUnits(frame: Frame): void {
  for (const unit of [...frame.state.units]) {
    if (frame.fresh.has(unit)) frame.fresh.delete(unit);
    else closeUnit(frame, unit, frame.end?.error ?? null);
  }
  frame.state.units.length = 0;
}

function sayEnd(frame: Frame): void {
  const { end } = frame;
  if (!end) return;
  const error = end.error ? { code: end.error.code, nodeId: end.error.nodeId, message: end.error.message } : null;
  const fields = { outcome: end.outcome, ...(error ? { error } : {}) };
  frame.event(`execution.${end.status}`, fields);
  frame.event("end", {});
  frame.outbox.push({
    name: `execution.${end.status}`,
    custom: false,
    payload: {
      status: end.status,
      outcome: end.outcome,
      tokenUsage: { ...frame.state.tokenUsage },
      error: end.error?.message ?? null,
    },
  });
}

function saySwitch(
  frame: Frame,
  before: "running" | "paused",
  after: "running" | "paused",
  decision: string | undefined,
): void {
  if (before === after) return;
  if (after === "running") {
    frame.event("execution.resumed", decision === undefined ? {} : { decision });
    frame.outbox.push({ name: "execution.resumed", custom: false, payload: { decision: decision ?? null } });
    return;
  }
  const waiting = frame.state.units.find((unit) => unit.status === "waiting" && unit.wait?.for !== "items");
  const [idle] = frame.state.idle ?? [];
  const nodeId = waiting?.nodeId ?? idle?.stateId ?? null;
  const reason = waiting?.wait?.for ?? idle?.for ?? "waiting";
  frame.event("execution.paused", { nodeId, reason });
  frame.outbox.push({ name: "execution.paused", custom: false, payload: { nodeId, reason } });
}
