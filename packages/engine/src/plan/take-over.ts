import { type Json, type JsonPatchOp, OvenError } from "@oven/contract";
import type { CompiledMachine } from "../compile/machine.ts";
import type { StateInfo } from "../compile/state-info.ts";
import { isObject, isSameJson } from "../expressions/json-access.ts";
import type { ContextSnapshot, RunHistory } from "../store.ts";
import { applyOps, parsePointer, toSnapshot } from "./context.ts";
import { leavesOf } from "./kernel.ts";
import { movesOf, type RecordedMove, type Replayed, toResult } from "./replay.ts";
import type { Timer, Unit } from "./run-state.ts";
import { type Seed, type SeedUnit, toSeed } from "./seed.ts";

/*
 * A run that begins where another one stood: to try again what failed, or to go another way from an earlier checkpoint.
 */

/** Why a run cannot go on with another version of its definition, and what it should know if it can. */
export interface CompatibilityReport {
  compatible: boolean;
  problems: { stateId: string; message: string }[];
  /** States that are not as they were, and have run already: they are not run again. */
  changed: string[];
}

export interface TakeOver {
  seed: { state: Seed; context: ContextSnapshot };
  report: CompatibilityReport;
}

/** Where a retry begins. */
export interface RetryPoint {
  /** The checkpoint; undefined: before the beginning. */
  seq: number | undefined;
  /** The outcome that the run could not go on with: it is delivered again, and its node not called again. */
  redo: RecordedMove | undefined;
}

/**
 * Before the outcome of the node whose failure was delivered last; of a run that ended otherwise, before its last move. With
 * `nodeId`, before the last outcome of that node.
 * @throws OvenError NODE_NOT_RUN 422
 */
export function retryPoint({ entries }: RunHistory, nodeId?: string): RetryPoint {
  const moves = movesOf(entries);
  const isTurn = (move: RecordedMove): boolean =>
    move.entries.some(({ event, fields }) => {
      if (fields.item !== undefined) return false;
      if (nodeId === undefined) return event === "node.failed";
      return fields.nodeId === nodeId && (event === "node.failed" || event === "node.completed");
    });
  const turn = moves.findLastIndex(isTurn);
  if (turn < 0 && nodeId !== undefined) {
    throw new OvenError("NODE_NOT_RUN", `${nodeId} has no outcome in this run`, {
      status: 422,
      path: "$.nodeId",
      fix: "Name a step that has run.",
    });
  }
  const end = turn < 0 ? moves.length - 1 : turn;
  const move = moves[end];
  const redo = nodeId === undefined && move && isRedone(move) ? move : undefined;
  return { seq: moves[end - 1]?.seq, redo };
}

/** The node had done its work, and what followed failed. A rejection is an outcome to be asked for again. */
function isRedone({ cause, entries }: RecordedMove): boolean {
  if (cause.t !== "done" || cause.i !== undefined) return false;
  const completed = entries.some(({ event, fields }) => event === "node.completed" && fields.nodeId === cause.n);
  const rejected = entries.some(({ fields: { error } }) => isObject(error) && error.code === "REVIEW_REJECTED");
  return completed && !rejected;
}

/**
 * What a new run begins with.
 * @param next the definition it will run; the same one unless another version was chosen
 * @throws OvenError PATCH_INVALID
 */
export function takeOver(
  { snapshot, move }: Replayed,
  history: RunHistory,
  before: CompiledMachine,
  next: CompiledMachine,
  { patch = [], redo }: { patch?: readonly JsonPatchOp[]; redo?: RecordedMove | undefined } = {},
): TakeOver {
  if (patch.some(({ path }) => parsePointer(path).length === 0))
    throw new OvenError("PATCH_INVALID", "A patch may not replace the whole context", { path: "$.patch" });
  const context = applyOps(snapshot.context, patch, () => null);
  const state = withOutcome(
    toSeed(snapshot, move.at, (unit) => itemsOf(unit, history, move.seq)),
    redo,
    history,
  );
  const report = compare(before, next, state);
  const timers = next === before ? state.timers : timersFor(before, next, state);
  const { timers: _timers, ...place } = state;
  return {
    seed: { state: { ...place, ...(timers && timers.length > 0 ? { timers } : {}) }, context: toSnapshot(context, 0) },
    report,
  };
}

function withOutcome(seed: Seed, redo: RecordedMove | undefined, history: RunHistory): Seed {
  const cause = redo?.cause;
  if (!redo || cause?.t !== "done") return seed;
  const { output, patch, stop } = toResult(cause, redo.entries, history);
  const outcome = { output, ...(patch ? { patch } : {}), ...(stop ? { stop } : {}) };
  const units = seed.units.map((unit) =>
    unit.nodeId === cause.n && unit.visit === cause.v ? { ...unit, outcome } : unit,
  );
  return { ...seed, units };
}

/** What a node that waits for its items asked for, and what had come of it by then. */
function itemsOf({ nodeId, visit }: Unit, { entries, rows }: RunHistory, seq: number): SeedUnit["items"] | undefined {
  const isOwn = (fields: Record<string, Json>): boolean => fields.nodeId === nodeId && fields.visit === visit;
  const asked = movesOf(entries).findLast(
    ({ cause, seq: at }) => at <= seq && cause.t === "wait" && cause.n === nodeId && cause.v === visit && !cause.i,
  );
  const wait = asked?.cause.t === "wait" ? asked.cause.wait : undefined;
  if (wait === undefined) return undefined;
  const completed = new Set(
    entries.flatMap(({ seq: at, event, fields }) =>
      at <= seq && event === "node.completed" && isOwn(fields) && typeof fields.item === "string" ? [fields.item] : [],
    ),
  );
  const done = rows.flatMap((row) =>
    row.nodeId === nodeId && row.visit === visit && row.item !== null && completed.has(row.item)
      ? [{ key: row.item, output: row.output, durationMs: row.durationMs ?? 0 }]
      : [],
  );
  return { wait: wait as never, done }; // cast: written by `toCause`
}

function compare(before: CompiledMachine, next: CompiledMachine, seed: Seed): CompatibilityReport {
  if (next === before) return { compatible: true, problems: [], changed: [] };
  const problems: CompatibilityReport["problems"] = [];
  const needed = new Set([...leavesOf(before.machine, seed.value), ...seed.units.map(({ nodeId }) => nodeId)]);
  for (const id of needed) {
    const [old, now] = [before.states.get(id), next.states.get(id)];
    if (!now) problems.push({ stateId: id, message: "The run stands here, and the version has no such state" });
    else if (old && old.kind !== now.kind)
      problems.push({ stateId: id, message: `The run stands here; it was a ${old.kind}, and is a ${now.kind} now` });
    else if (old && chain(old) !== chain(now))
      problems.push({ stateId: id, message: "The run stands here, and the version has it in another place" });
  }
  if (problems.length === 0 && !hasPlace(next, seed.value, leavesOf(before.machine, seed.value)))
    problems.push({ stateId: "", message: "The version has other regions beside where the run stands" });
  const changed = Object.keys(seed.visits).filter((id) => {
    const [old, now] = [before.states.get(id), next.states.get(id)];
    // A unit whose outcome is known is not called again.
    const isPlanned = seed.units.some(({ nodeId, outcome }) => nodeId === id && outcome === undefined);
    return !isPlanned && !isSameJson(describe(old), describe(now));
  });
  return { compatible: problems.length === 0, problems, changed };
}

function chain(state: StateInfo): string {
  return state.parent ? `${chain(state.parent)}/${state.id}` : state.id;
}

function hasPlace({ machine }: CompiledMachine, value: Json, leaves: readonly string[]): boolean {
  try {
    return isSameJson(leavesOf(machine, value), [...leaves]);
  } catch {
    // XState throws where the value names a state that is not there.
    return false;
  }
}

function describe(state: StateInfo | undefined): Json {
  return state?.invoke ? { src: state.invoke.src, version: state.invoke.version, input: state.invoke.rawInput } : null;
}

/** Timers of the states the run stands in: those that run go on, new ones begin, those that have fired stay fired. */
function timersFor(before: CompiledMachine, next: CompiledMachine, { value, timers = [], at }: Seed): Timer[] {
  const active = new Set<StateInfo>();
  for (const leaf of leavesOf(before.machine, value))
    for (let state = next.states.get(leaf); state; state = state.parent) active.add(state);
  return [...active].flatMap(({ id, after }) =>
    after.flatMap(({ key, milliseconds, active: counted }): Timer[] => {
      const running = timers.find((timer) => timer.stateId === id && timer.key === key);
      if (running) return [running];
      const hasFired = before.states.get(id)?.after.some((old) => old.key === key) === true;
      return hasFired ? [] : [{ stateId: id, key, at: at + milliseconds, ...(counted ? { active: counted } : {}) }];
    }),
  );
}
