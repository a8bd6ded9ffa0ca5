import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { AnyStateNode } from "xstate";
import type { CompiledMachine } from "../compile/machine.ts";
import { fromMachineId, toMachineId } from "../compile/state-info.ts";
import { isSameJson, setOwn } from "../expressions/json-access.ts";
import type { RunContext } from "../expressions/scope.ts";
import { closeFrame } from "../plan/close-frame.ts";
import { toSnapshot } from "../plan/context.ts";
import { Frame } from "../plan/frame.ts";
import { leavesOf } from "../plan/kernel.ts";
import type { RunFacts, RunSnapshot } from "../plan/plan-types.ts";
import type { RunState, Timer } from "../plan/run-state.ts";
import { statusOf } from "../plan/run-status.ts";
import { renameUndoSteps } from "../plan/undo-steps.ts";
import { nextWake, toColumns } from "../run/to-commit.ts";
import type { RunColumns } from "../store.ts";
import { activeStates, renamed, type StateMapping } from "./state-mapping.ts";

/** A run as it stands in another version of its workflow. */
export interface MovedRun {
  state: RunState;
  context: RunContext;
  columns: RunColumns;
  wakeAt: string | null;
}

export interface MoveOrder {
  before: CompiledMachine;
  after: CompiledMachine;
  facts: RunFacts;
  snapshot: RunSnapshot;
  mapping: StateMapping;
  /** Epoch milliseconds. */
  now: number;
  /** The log entry after which the run stands so. */
  seq: number;
  /** Values of the configuration keys that the version reads, as they are now. */
  config: JsonObject | undefined;
}

/**
 * The run at the same place of another version. Only for runs that `compareVersions` lets go.
 * @throws OvenError RUN_NOT_MOVABLE when it would wait for something else there, or for nothing
 */
export function moveRun({ before, after, facts, snapshot, mapping, now, seq, config }: MoveOrder): MovedRun {
  const leaves = leavesOf(before.machine, snapshot.state.value).map((id) => renamed(id, mapping));
  const { state: old } = snapshot;
  const { timers: _timers, history: _history, idle: _idle, loops, last, config: had, ...rest } = old;
  const timers = timersIn(before, after, old, mapping, now);
  const history = historyIn(after, old, mapping);
  const values = config === undefined ? had : { ...config, ...had };
  const context = contextIn(after, snapshot.context, mapping);
  const state: RunState = {
    ...rest,
    value: stateValueOf(after, leaves),
    ...(timers.length > 0 ? { timers } : {}),
    ...(history ? { history } : {}),
    ...(loops
      ? {
          loops: loops.map((loop) => ({
            ...loop,
            stateId: renamed(loop.stateId, mapping),
            last: loop.last === null ? null : renamed(loop.last, mapping),
          })),
        }
      : {}),
    ...(last === undefined ? {} : { last: renamed(last, mapping) }),
    ...(values ? { config: values } : {}),
    visits: Object.fromEntries(Object.entries(old.visits).map(([id, count]) => [renamed(id, mapping), count])),
    units: old.units.map((unit) => ({ ...unit, nodeId: renamed(unit.nodeId, mapping) })),
    patchBytes: 0,
    snapshotBytes: JSON.stringify(toSnapshot(context, seq)).length,
  };
  const frame = new Frame(after, facts, { state, context }, { now, reviewIds: [] });
  const was = statusOf(snapshot);
  const planned = closeFrame(frame, was);
  if (planned.end !== null)
    throw notMovable("Nothing would move the run any more", planned.end.error?.message ?? leaves.join(", "));
  if (statusOf(planned.snapshot) !== was)
    throw notMovable("It would wait for something else there", `${was} now, ${statusOf(planned.snapshot)} there`);
  if (!isSameJson(planned.activeStates.toSorted(), leaves.toSorted()))
    throw notMovable("The version has other regions beside where the run stands", planned.activeStates.join(", "));
  const wake = nextWake(planned.snapshot.state, after, now);
  const wakeAt = wake === null ? null : new Date(wake).toISOString();
  return {
    state: { ...planned.snapshot.state, wakeAt },
    context,
    columns: toColumns(planned, seq, now),
    wakeAt,
  };
}

function notMovable(message: string, where: string): OvenError {
  return new OvenError("RUN_NOT_MOVABLE", `${message}: ${where}`, {
    status: 409,
    fix: "Let it end on the version it has, or give the version the state that it waits in.",
  });
}

/** XState's value of the states that are active with these leaves. */
function stateValueOf({ machine }: CompiledMachine, leaves: readonly string[]): Json {
  const active = new Set<AnyStateNode>();
  for (const leaf of leaves)
    for (let node: AnyStateNode | undefined = machine.getStateNodeById(toMachineId(leaf)); node; node = node.parent)
      active.add(node);
  const toValue = (node: AnyStateNode): Json => {
    const children = Object.values(node.states).filter((child) => active.has(child));
    const [only] = children;
    if (node.type !== "parallel" && only !== undefined && children.length === 1 && isLeaf(only)) return only.key;
    const value: JsonObject = {};
    for (const child of children) setOwn(value, child.key, toValue(child));
    return value;
  };
  return toValue(machine.root);
}

function isLeaf(node: AnyStateNode): boolean {
  return Object.keys(node.states).length === 0;
}

/** Those that run go on, those of states that are active and new begin, those that have fired stay fired. */
function timersIn(
  before: CompiledMachine,
  after: CompiledMachine,
  { value, timers = [] }: RunState,
  mapping: StateMapping,
  now: number,
): Timer[] {
  const active = activeStates(before, leavesOf(before.machine, value));
  const targets = new Map(active.map((state) => [renamed(state.id, mapping), state]));
  const inAfter = activeStates(after, [...targets.keys()]);
  return inAfter.flatMap(({ id, after: keys }) =>
    keys.flatMap(({ key, milliseconds, active: counted }): Timer[] => {
      const old = targets.get(id);
      const running = timers.find((timer) => timer.stateId === old?.id && timer.key === key);
      if (running) return [{ ...running, stateId: id }];
      if (old?.after.some((one) => one.key === key)) return [];
      return [{ stateId: id, key, at: now + milliseconds, ...(counted ? { active: counted } : {}) }];
    }),
  );
}

/** What history states remember, as far as the version has these states. */
function historyIn({ states }: CompiledMachine, { history }: RunState, mapping: StateMapping): RunState["history"] {
  const to = (machineId: string): string => renamed(fromMachineId(machineId), mapping);
  const left = Object.entries(history ?? {}).filter(
    ([id, nodes]) => states.has(to(id)) && nodes.every((node) => states.has(to(node))),
  );
  if (left.length === 0) return undefined;
  return Object.fromEntries(
    left.map(([id, nodes]) => [toMachineId(to(id)), nodes.map((node) => toMachineId(to(node)))]),
  );
}

/** Outputs and errors of renamed steps under their new names, and variables that the version has in addition. */
function contextIn({ variables }: CompiledMachine, { values, writers }: RunContext, mapping: StateMapping): RunContext {
  const moved: JsonObject = {};
  for (const [key, value] of Object.entries(variables)) setOwn(moved, key, value);
  for (const [key, value] of Object.entries(values)) setOwn(moved, keyIn(key, mapping), value);
  Object.assign(
    moved,
    renameUndoSteps(values, (id) => renamed(id, mapping)),
  );
  const by = new Map(Object.keys(variables).map((key) => [key, ""]));
  for (const [key, writer] of writers) by.set(keyIn(key, mapping), renamed(writer, mapping));
  return { values: moved, writers: by };
}

function keyIn(key: string, mapping: StateMapping): string {
  const [, id, what] = /^(.*)(_output|_error)$/.exec(key) ?? [];
  return id !== undefined && Object.hasOwn(mapping, id) ? `${renamed(id, mapping)}${what}` : key;
}
