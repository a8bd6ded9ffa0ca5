import type { Checkpoint, Waiting } from "@oven/contract/run";
import type { CompiledMachine } from "../compile/machine.ts";
import { toSnapshot } from "../plan/context.ts";
import { SNAPSHOT_FACTOR, SNAPSHOT_MIN_BYTES } from "../plan/limits.ts";
import type { Plan } from "../plan/plan-types.ts";
import type { RunState, Unit } from "../plan/run-state.ts";
import { statusOf } from "../plan/run-status.ts";
import { limitOf } from "../plan/undo-steps.ts";
import type {
  NewChild,
  OutgoingSignal,
  ParentLink,
  RowChange,
  RunColumns,
  RunCommit,
  RunEventDraft,
  RunSignalData,
} from "../store.ts";

/** By whom a run is cancelled that its parent has given up. */
export const BY_PARENT = "its parent run";

interface Position {
  executionId: number;
  epoch: number;
  seq: number;
}

/** A plan as the one write that records it. `earlier` are log entries that waited for it. */
export function toCommit(
  position: Position,
  plan: Plan,
  rows: RowChange[],
  earlier: readonly RunEventDraft[],
  signals: number[],
  children: NewChild[],
  parent: ParentLink | null,
  compiled: CompiledMachine,
  now: number,
): RunCommit {
  const events = [...earlier, ...plan.events];
  const seq = position.seq + events.length;
  const { state, context } = plan.snapshot;
  const outgrown = state.patchBytes > Math.max(SNAPSHOT_MIN_BYTES, SNAPSHOT_FACTOR * state.snapshotBytes);
  const wakeAt = plan.end || isActive(state) ? null : toIso(nextWake(state, compiled, now));
  const next: RunState = { ...state, wakeAt };
  return {
    ...position,
    columns: toColumns(plan, seq, now),
    state: outgrown ? { ...next, snapshotBytes: state.snapshotBytes + state.patchBytes, patchBytes: 0 } : next,
    rows,
    reviews: plan.reviews,
    events,
    outbox: plan.outbox,
    children,
    outgoing: [...plan.cancelled.map(toCancel), ...tellParent(position, parent, plan, seq)],
    signals,
    ...(wakeAt === state.wakeAt ? {} : { wakeAt }),
    ...(outgrown ? { snapshot: toSnapshot(context, seq) } : {}),
  };
}

function toCancel(executionId: number): OutgoingSignal {
  const data = { reason: "its parent waits for it no more", by: BY_PARENT };
  return { executionId, signal: { type: "cancel", data }, dedupeKey: "cancel" };
}

/** A child says when it has ended, and when it begins or ceases to wait for the outside. */
function tellParent(
  { executionId }: Position,
  parent: ParentLink | null,
  { end, events, snapshot: { state } }: Plan,
  seq: number,
): OutgoingSignal[] {
  if (!parent) return [];
  const switched = events.find(({ event }) => event === "execution.paused" || event === "execution.resumed");
  if (!end && !switched) return [];
  const { tokenUsage, costMicros, simulated } = state;
  const status: RunSignalData["child"]["status"] =
    end?.status ?? (switched?.event === "execution.paused" ? "paused" : "running");
  const { outcome = null, output = null, error = null } = end ?? {};
  const signal: OutgoingSignal["signal"] = {
    type: "child",
    data: { executionId, status, outcome, output, error, tokenUsage, costMicros, simulated },
  };
  return [{ executionId: parent.executionId, signal, dedupeKey: `child:${executionId}:${seq}` }];
}

/** The run row's columns after a plan. @param seq of the log's last entry then */
export function toColumns({ snapshot, end, activeStates }: Plan, seq: number, now: number): RunColumns {
  const { state } = snapshot;
  const status = end?.status ?? statusOf(snapshot);
  return {
    status,
    outcome: end?.outcome ?? null,
    currentState: activeStates.join(", "),
    activeStates,
    stateValue: state.value,
    waitingUntil: status === "running" ? waitingUntil(state) : null,
    checkpoint: status === "paused" ? toCheckpoint(state, seq) : null,
    output: end?.output ?? null,
    tokenUsage: state.tokenUsage,
    costMicros: state.costMicros,
    steps: state.steps,
    simulated: state.simulated,
    startedAt: state.startedAt,
    completedAt: end ? new Date(now).toISOString() : null,
    errorInfo: end?.error ?? null,
  };
}

function toCheckpoint(state: RunState, seq: number): Checkpoint {
  return { seq, waiting: waitingOf(state) };
}

/** What a run waits for: people, events, times, other runs. */
export function waitingOf(state: RunState): Waiting[] {
  const waiting = state.units.flatMap((unit): Waiting[] => {
    if (unit.status !== "waiting" || !unit.wait || unit.wait.for === "items") return [];
    const { wait } = unit;
    return [
      {
        nodeId: unit.nodeId,
        visit: unit.visit,
        item: unit.item,
        for: wait.for,
        reviewId: wait.for === "review" || wait.for === "input" ? wait.reviewId : null,
        dueAt: wait.dueAt,
        ...(wait.for === "child" ? { executionId: wait.executionId } : {}),
      },
    ];
  });
  for (const leaf of state.idle ?? []) {
    if (leaf.for !== "event") continue;
    const { stateId: nodeId, events, dueAt } = leaf;
    waiting.push({ nodeId, visit: 1, item: null, for: "event", reviewId: null, dueAt, events });
  }
  return waiting;
}

function isActive(state: RunState): boolean {
  return state.units.some((unit) => unit.status === "planned" || unit.status === "running");
}

function toIso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** Until when nothing but time is waited for; null when something runs. */
function waitingUntil(state: RunState): string | null {
  if (isActive(state)) return null;
  const times = instantsOf(state);
  return toIso(times.length === 0 ? null : Math.min(...times));
}

/** When the clock must look at the run again: back-offs, deadlines, and limits of active time. */
export function nextWake(state: RunState, compiled: CompiledMachine, now: number): number | null {
  const times = instantsOf(state);
  if (state.activeSince !== null) {
    const deadlines = [limitOf(state, "activeMs", compiled.timeoutMs), ...state.units.flatMap(deadlineOf)];
    const spent = state.activeMs + Math.max(0, now - state.activeSince);
    times.push(now + Math.max(0, Math.min(...deadlines) - spent));
  }
  return times.length === 0 ? null : Math.min(...times);
}

/** Back-offs, deadlines of waits, and timers of `after`. */
export function instantsOf(state: RunState): number[] {
  const units = state.units.flatMap((unit) => (unit.wakeAt === undefined ? [] : [unit.wakeAt]));
  return [...units, ...(state.timers ?? []).flatMap(({ at, left }) => (left === undefined ? [at] : []))];
}

function deadlineOf(unit: Unit): number[] {
  return unit.deadlineActiveMs === undefined ? [] : [unit.deadlineActiveMs];
}
