import { type Json, OvenError } from "@oven/contract";
import type { NodeDone } from "@oven/contract/node";
import type { CompiledMachine } from "../compile/machine.ts";
import { isSameJson } from "../expressions/json-access.ts";
import type { RunContext } from "../expressions/scope.ts";
import type { HistoryEntry, RunHistory, RunSignal, StoredRow } from "../store.ts";
import type { Cause } from "./cause.ts";
import { fromSnapshot } from "./context.ts";
import { plan, planStart, unchanged } from "./plan.ts";
import type { Plan, PlanEnvironment, PlanEvent, RunFacts, RunSnapshot, UnitKey } from "./plan-types.ts";
import { planSeeded } from "./seed.ts";

/** One move of a recorded run: what it was made of, and what the log says of it. */
export interface RecordedMove {
  /** The sequence numbers of its first and its last log entry. */
  first: number;
  seq: number;
  /** Epoch milliseconds. */
  at: number;
  cause: Cause;
  entries: readonly HistoryEntry[];
}

/** Entries before the first cause belong to no move; a log without causes has none. */
export function movesOf(entries: readonly HistoryEntry[]): RecordedMove[] {
  return [...eachMove(entries)];
}

/** As `movesOf`, one after the other: a long log takes a while. */
function* eachMove(entries: readonly HistoryEntry[]): Generator<RecordedMove, void> {
  let move: (RecordedMove & { entries: HistoryEntry[] }) | undefined;
  for (const entry of entries) {
    if (entry.cause !== null) {
      if (move) yield move;
      const cause = entry.cause as unknown as Cause; // cast: written by `toCause`
      move = { first: entry.seq, seq: entry.seq, at: Date.parse(entry.at), cause, entries: [entry] };
      continue;
    }
    if (!move) continue;
    move.seq = entry.seq;
    move.entries.push(entry);
  }
  if (move) yield move;
}

export interface Replayed {
  snapshot: RunSnapshot;
  /** The last move that was gone through. */
  move: RecordedMove;
  plan: Plan;
}

/**
 * Goes through a recorded run again, move by move, as it was: the same definition and the same outcomes give the same states
 * and context.
 * @throws OvenError REPLAY_DIVERGED when a move does not give what the log says, CHECKPOINTS_MISSING
 */
export function* replayMoves(
  compiled: CompiledMachine,
  facts: RunFacts,
  start: RunContext,
  history: RunHistory,
): Generator<Replayed, void> {
  const moves = eachMove(sinceMoved(history.entries));
  const first = moves.next().value;
  if (!first || (first.cause.t === "migrated" && first.cause.replay === null)) {
    throw new OvenError("CHECKPOINTS_MISSING", "The run's log does not keep what its steps were made of", {
      status: 409,
      fix: "Set CHECKPOINT_ENABLED for its workflow and start it again.",
    });
  }
  let at =
    first.cause.t === "migrated" ? asMoved(compiled, first) : check(toStart(compiled, facts, start, first), first);
  yield at;
  for (const move of moves) {
    if (at.plan.end) return;
    at = check(plan(compiled, facts, at.snapshot, toEvent(move, history), environmentOf(move)), move);
    yield at;
  }
}

/** What was before a run was moved to the version it has is the log of another definition. */
function sinceMoved(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const at = entries.findLastIndex(({ event }) => event === "execution.migrated");
  return at < 0 ? entries : entries.slice(at);
}

function asMoved(compiled: CompiledMachine, move: RecordedMove): Replayed {
  const replay = move.cause.t === "migrated" ? move.cause.replay : null;
  if (replay === null)
    throw new OvenError("LOG_INCOMPLETE", `Entry ${move.first} does not say how the run stood`, { status: 500 });
  const snapshot: RunSnapshot = { state: replay.state, context: fromSnapshot(replay.context) };
  return { snapshot, move, plan: unchanged(compiled, snapshot) };
}

/** Where the run stood after its last move up to entry `seq` of its log. @throws OvenError as `replayMoves`, CHECKPOINT_UNKNOWN */
export function replay(
  compiled: CompiledMachine,
  facts: RunFacts,
  start: RunContext,
  history: RunHistory,
  seq = Number.POSITIVE_INFINITY,
): Replayed {
  let there: Replayed | undefined;
  for (const at of replayMoves(compiled, facts, start, history)) {
    if (at.move.seq > seq) break;
    there = at;
  }
  if (there) return there;
  throw checkpointUnknown(seq);
}

export function checkpointUnknown(seq: number): OvenError {
  return new OvenError("CHECKPOINT_UNKNOWN", `The run has no checkpoint at or before entry ${seq} of its log`, {
    status: 422,
    fix: "See its list of checkpoints.",
  });
}

function toStart(compiled: CompiledMachine, facts: RunFacts, start: RunContext, move: RecordedMove): Plan {
  const { cause } = move;
  const config = cause.t === "seed" || cause.t === "start" ? cause.config : undefined;
  const then = config ? { ...facts, config } : facts;
  if (cause.t !== "seed") return planStart(compiled, then, start, environmentOf(move));
  const { context, seed } = cause;
  return planSeeded(compiled, then, { state: seed, context: fromSnapshot(context) }, environmentOf(move));
}

function environmentOf({ at, entries }: RecordedMove): PlanEnvironment {
  const reviewIds = entries.flatMap(({ event, fields }) =>
    event === "review.opened" && typeof fields.reviewId === "number" ? [fields.reviewId] : [],
  );
  return { now: at, reviewIds };
}

/** Gives children the ids they had, and compares what happened with what is written. */
function check(planned: Plan, move: RecordedMove): Replayed {
  const childIds = move.entries.flatMap(({ event, fields }) =>
    event === "child.started" && typeof fields.childId === "number" ? [fields.childId] : [],
  );
  for (const [index, { unit, event }] of planned.children.entries()) {
    const id = childIds[index] ?? 0;
    if (unit.wait?.for === "child") unit.wait.executionId = id;
    event.fields.childId = id;
  }
  const [opening] = move.entries;
  const samePatch = isSameJson((planned.events[0]?.patch ?? null) as Json, (opening?.patch ?? null) as Json); // cast: ops are JSON
  const recorded = move.entries.filter(({ event }) => OWN_EVENTS.test(event)).map(nameOf);
  const happened = planned.events.filter(({ event }) => OWN_EVENTS.test(event)).map(nameOf);
  if (samePatch && isSameJson(recorded, happened)) return { snapshot: planned.snapshot, move, plan: planned };
  throw new OvenError("REPLAY_DIVERGED", `Gone through again, entry ${move.first} of the log comes out differently`, {
    status: 409,
    details: { seq: move.first, recorded, happened },
    fix: "The definition, or the version of OVEN that runs it, decides otherwise than the one that wrote the log.",
  });
}

/** What planning says; the rest of a log was said by running nodes. */
const OWN_EVENTS = /^(execution|node|review|child)\./;

function nameOf({ event, fields }: Pick<HistoryEntry, "event" | "fields">): string {
  const { nodeId = null, visit = null, item = null } = fields;
  return nodeId === null ? event : `${event} ${String(nodeId)} ${String(visit)} ${String(item ?? "")}`;
}

/** What moved the run then. @throws OvenError LOG_INCOMPLETE */
export function toEvent({ cause, entries, first }: RecordedMove, history: RunHistory): PlanEvent {
  switch (cause.t) {
    case "clock":
    case "takeover":
    case "resumed":
      return { type: cause.t };
    case "starting":
      return { type: "starting", unit: toKey(cause) };
    case "wait": {
      const { wait, spend } = cause;
      return { type: "wait", unit: toKey(cause), wait: wait as never, spend, emits: [] }; // cast: written by `toCause`
    }
    case "failed": {
      const { failure, discard } = cause;
      return {
        type: "failed",
        unit: toKey(cause),
        failure: failure as never,
        emits: [],
        discardText: discard === true,
      }; // cast: as above
    }
    case "done":
      return { type: "done", unit: toKey(cause), result: toResult(cause, entries, history), emits: [] };
    case "signal":
      return toSignalEvent(history, cause.id);
    case "start":
    case "seed":
    case "migrated":
      throw new OvenError("LOG_INCOMPLETE", `The run begins twice in its log, at ${first}`, { status: 500 });
  }
}

function toKey({ n, v, a, i }: { n: string; v: number; a: number; i?: string }): UnitKey {
  return { nodeId: n, visit: v, item: i ?? null, attempt: a };
}

/** The outcome of a node as it was recorded. @throws OvenError LOG_INCOMPLETE */
export function toResult(
  cause: Extract<Cause, { t: "done" }>,
  [opening]: readonly HistoryEntry[],
  history: RunHistory,
): NodeDone {
  const { nodeId, visit, item } = toKey(cause);
  const row = indexOf(history).rows.get(placeOf(nodeId, visit, item));
  if (!row) {
    throw new OvenError(
      "LOG_INCOMPLETE",
      `The log refers to the output of ${nodeId}, visit ${visit}, which is not stored`,
      {
        status: 500,
      },
    );
  }
  const patch = (opening?.patch ?? []).slice(0, cause.own ?? 0) as NonNullable<NodeDone["patch"]>; // cast: a node's own ops are plain
  return {
    type: "done",
    output: row.output,
    ...(patch.length > 0 ? { patch } : {}),
    ...(cause.spend ? { spend: cause.spend } : {}),
    ...(cause.stop ? { stop: cause.stop as NonNullable<NodeDone["stop"]> } : {}), // cast: written by `toCause`
  };
}

function toSignalEvent(history: RunHistory, id: number): PlanEvent {
  const signal = indexOf(history).signals.get(id);
  if (!signal)
    throw new OvenError("LOG_INCOMPLETE", `The log refers to the message ${id}, which is not stored`, { status: 500 });
  return signalEvent(signal);
}

/** A message from the signal table as the planner takes it. */
export function signalEvent({ id: signalId, ...signal }: RunSignal): PlanEvent {
  switch (signal.type) {
    case "cancel":
      return { type: "cancel", ...signal.data, signalId };
    case "decision":
      return { type: "decision", decision: signal.data, signalId };
    case "note":
      return { type: "note", note: signal.data, signalId };
    case "event":
      return { type: "event", ...signal.data, signalId };
    case "child":
      return { type: "child", child: signal.data, signalId };
  }
}

interface HistoryIndex {
  rows: ReadonlyMap<string, StoredRow>;
  signals: ReadonlyMap<number, RunSignal>;
}

/** Each move looks one up: by searching, a run of n steps would take n² of them. */
const indexes = new WeakMap<RunHistory, HistoryIndex>();

function indexOf(history: RunHistory): HistoryIndex {
  const known = indexes.get(history);
  if (known) return known;
  const index: HistoryIndex = {
    rows: new Map(history.rows.map((row) => [placeOf(row.nodeId, row.visit, row.item), row])),
    signals: new Map(history.signals.map((signal) => [signal.id, signal])),
  };
  indexes.set(history, index);
  return index;
}

function placeOf(nodeId: string, visit: number, item: string | null): string {
  return `${visit} ${nodeId} ${item ?? "\n"}`;
}
