import type { Json } from "@oven/contract";
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from "xstate";
import type { MachineContext, MachineEvent } from "../compile/machine-frame.ts";

/*
 * With `compile/effect.ts` the one place that touches XState's inside (pinned at 5.33.3). Its exported `transition()` builds a throw-away
 * actor per call; `machine.transition` with one inert scope does not. `kernel.test.ts` proves the two equal.
 */

/** Nothing a compiled machine does reaches it: no actors, no delays, no custom actions. */
const INERT_SCOPE = {
  self: {},
  id: "",
  sessionId: "",
  logger: () => undefined,
  defer: () => undefined,
  emit: () => undefined,
  stopChild: () => undefined,
  actionExecutor: () => undefined,
  system: { _sendInspectionEvent: () => undefined },
};

/**
 * What history states remember: machine ids by the machine id of the history state. XState keeps live state nodes
 * there, which a JSON round trip would silently turn into something it takes for others.
 */
export type History = Readonly<Record<string, readonly string[]>>;

/** A machine at rest, as plain JSON. */
export interface Stored {
  value: Json;
  history: History;
}

export interface Rest extends Stored {
  done: boolean;
  /** Ids as the machine knows them. */
  leaves: string[];
}

/** Enters the initial state. @throws what an `always` cycle or a broken action threw */
export function startMachine(machine: AnyStateMachine, context: MachineContext): Rest {
  ready(machine);
  const snapshot = machine.getInitialSnapshot(INERT_SCOPE as never, context as never); // cast: XState's scope is internal
  return toRest(snapshot);
}

/** One macrostep from where the machine was at rest. */
export function moveMachine(
  machine: AnyStateMachine,
  { value, history }: Stored,
  context: MachineContext,
  event: MachineEvent,
): Rest {
  ready(machine);
  const historyValue = revive(machine, history);
  // A run that ended can be taken to the steps that undo it.
  const rest = { ...resolve(machine, value), status: "active" as const };
  const before = { ...rest, context, historyValue } as unknown as AnyMachineSnapshot; // cast: a snapshot with fields set
  return toRest(machine.transition(before, event, INERT_SCOPE as never)); // cast: XState's scope is internal
}

/** The active leaves of a stored value. */
export function leavesOf(machine: AnyStateMachine, value: Json): string[] {
  return toLeaves(resolve(machine, value));
}

const readied = new WeakSet<AnyStateMachine>();

/**
 * XState keeps, per state, an answer for each event type that it was ever asked about. An event goes by all active
 * states, and its name may come from a caller: that is slow, and grows for as long as the machine lives. A state that
 * does not name the event is not asked.
 */
function ready(machine: AnyStateMachine): void {
  if (readied.has(machine)) return;
  readied.add(machine);
  for (const node of allWithin(machine.root)) {
    const { transitions } = node;
    const hasPatterns = [...transitions.keys()].some((descriptor) => descriptor.endsWith("*"));
    if (hasPatterns) continue;
    const inside = node as unknown as Asked; // cast: XState's types leave it out
    const next = inside.next.bind(node);
    inside.next = (snapshot, event) => (transitions.has(event.type) ? next(snapshot, event) : undefined);
  }
}

interface Asked {
  next(snapshot: AnyMachineSnapshot, event: { type: string }): unknown;
}

function allWithin(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(allWithin)];
}

const lastResolved = new WeakMap<AnyStateMachine, { value: Json; snapshot: AnyMachineSnapshot }>();

/**
 * The snapshot of a stored value, with no context. A move asks for its leaves and then moves on: the second question
 * finds the answer of the first. Always resolved from the value, never kept from a transition, so that a run that
 * goes on and one that was recovered see the same order of nodes.
 */
function resolve(machine: AnyStateMachine, value: Json): AnyMachineSnapshot {
  const last = lastResolved.get(machine);
  if (last?.value === value) return last.snapshot;
  const snapshot = machine.resolveState({ value: value as never, context: {} }); // cast: the value came from this machine
  lastResolved.set(machine, { value, snapshot });
  return snapshot;
}

function revive(machine: AnyStateMachine, history: History): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(history).map(([id, nodes]) => [id, nodes.map((node) => machine.getStateNodeById(node))]),
  );
}

function toRest(snapshot: AnyMachineSnapshot): Rest {
  if (snapshot.status === "error") throw snapshot.error;
  const history = Object.fromEntries(
    Object.entries(snapshot.historyValue ?? {}).map(([id, nodes]) => [id, nodes.map((node) => node.id)]),
  );
  return {
    value: snapshot.value as Json, // cast: a state value is JSON
    history,
    done: snapshot.status === "done",
    leaves: toLeaves(snapshot),
  };
}

function toLeaves(snapshot: AnyMachineSnapshot): string[] {
  return snapshot._nodes
    .filter((node) => node.type === "atomic" || node.type === "final")
    .sort((one, other) => one.order - other.order)
    .map((node) => node.id.replaceAll("/", "."));
}
