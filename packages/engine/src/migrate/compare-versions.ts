import type { Json } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import type { CompiledMachine } from "../compile/machine.ts";
import type { StateInfo } from "../compile/state-info.ts";
import { isSameJson } from "../expressions/json-access.ts";
import { leavesOf } from "../plan/kernel.ts";
import type { RunState, Unit } from "../plan/run-state.ts";
import { isLike, type Proposal, proposeStates } from "./propose-states.ts";
import { missingOutputs } from "./read-needs.ts";
import { activeStates, framesAround, renamed, type StateMapping } from "./state-mapping.ts";

export interface MoveReport {
  /**
   * `same`: the run goes on where it stands. `mapped`: it does with the given mapping. `mapping`: states are missing that others may
   * take the place of. `cannot`: see the problems.
   */
  verdict: "same" | "mapped" | "mapping" | "cannot";
  problems: { stateId: string; message: string }[];
  /** States of the run that the version does not have, or not as they were. */
  unplaced: { stateId: string; label: string | null; proposals: Proposal[] }[];
  /** Steps of the version whose output is read behind where the run stands, with states of the run that may have made it. */
  missing: { stateId: string; readBy: string; proposals: Proposal[] }[];
  /** States that the run stands in or has been in and that are not as they were: what was done in them stays done. */
  changed: string[];
}

/** A run at rest, and the two versions that it is to go from and to. */
export interface MoveQuestion {
  before: CompiledMachine;
  after: CompiledMachine;
  /** What `after` was compiled from. */
  definition: Definition;
  state: RunState;
  mapping: StateMapping;
}

/** Whether a run that waits can go on with another version of its workflow. Decides by its state alone. */
export function compareVersions({ before, after, definition, state, mapping }: MoveQuestion): MoveReport {
  const problems = state.units.flatMap(unready);
  if (state.undoing !== undefined)
    problems.push({ stateId: "", message: "The run undoes its steps, as the version that it has says" });
  const leaves = leavesOf(before.machine, state.value);
  const standing = placesOf(before, state, leaves);
  const targets = standing.map(({ id }) => renamed(id, mapping));
  const visited = new Set(Object.keys(state.visits).map((id) => renamed(id, mapping)));
  const unplaced: MoveReport["unplaced"] = [];
  const isTaken = ({ id }: StateInfo): boolean => Object.hasOwn(state.visits, id) || targets.includes(id);
  for (const one of standing) {
    const now = after.states.get(renamed(one.id, mapping));
    const why = misfit(one, now, mapping);
    if (why === undefined) continue;
    const { id: stateId, label = null } = one;
    const isInner = stateId.includes(".");
    if (isInner || renamed(stateId, mapping) !== stateId) problems.push({ stateId, message: why });
    else {
      const proposals = proposeStates([before, one], after, isTaken);
      unplaced.push({ stateId, label, proposals });
      if (proposals.length === 0) problems.push({ stateId, message: why });
    }
  }
  problems.push(...mappingProblems(mapping, state, after));
  const missing: MoveReport["missing"] = [];
  if (problems.length === 0 && unplaced.length === 0) {
    for (const { stateId, readBy } of missingOutputs(after, definition, targets, visited)) {
      const proposals = whoMayHaveMade(stateId, { before, after, state, mapping });
      missing.push({ stateId, readBy, proposals });
      if (proposals.length === 0)
        problems.push({ stateId: readBy, message: `It reads the output of ${stateId}, which the run has not made` });
    }
  }
  const isPlaced = unplaced.length === 0 && missing.length === 0;
  return {
    verdict: problems.length > 0 ? "cannot" : verdictOf(isPlaced, mapping, state),
    problems,
    unplaced,
    missing,
    changed: changedStates(before, after, state, mapping),
  };
}

function verdictOf(isPlaced: boolean, mapping: StateMapping, state: RunState): MoveReport["verdict"] {
  if (!isPlaced) return "mapping";
  return Object.keys(mapping).some((id) => Object.hasOwn(state.visits, id)) ? "mapped" : "same";
}

/** Active leaves, units, and the parallel states, loops and composites around them. */
function placesOf(before: CompiledMachine, { units }: RunState, leaves: readonly string[]): StateInfo[] {
  const places = new Set(
    activeStates(before, leaves).filter(({ kind, id }) => kind !== "compound" || leaves.includes(id)),
  );
  for (const { nodeId } of units) {
    const state = before.states.get(nodeId);
    if (state) places.add(state);
  }
  return [...places];
}

function misfit(one: StateInfo, now: StateInfo | undefined, mapping: StateMapping): string | undefined {
  if (now === undefined) return "The run stands here, and the version has no such state";
  if (one.kind !== now.kind) return `The run stands here; it was a ${one.kind}, and is a ${now.kind} now`;
  if (!isLike(one, now))
    return `The run stands here, and the step is of another type or version now: ${now.invoke?.src}`;
  const around = framesAround(one).map(({ id }) => renamed(id, mapping));
  const aroundNow = framesAround(now).map(({ id }) => id);
  if (!isSameJson(around, aroundNow)) return "The run stands here, and the version has it within other states";
  return undefined;
}

/** What a worker must do first. */
function unready({ nodeId: stateId, status, wait }: Unit): MoveReport["problems"] {
  if (status !== "waiting" && status !== "open") return [{ stateId, message: "The run is in the middle of this step" }];
  if (wait?.for === "child")
    return [{ stateId, message: `The run waits for run ${wait.executionId}, which belongs to the version it has` }];
  if (wait?.for === "items" && wait.children)
    return [{ stateId, message: "The run waits for passes of this loop, which are runs of the version it has" }];
  return [];
}

function mappingProblems(
  mapping: StateMapping,
  { visits, units }: RunState,
  after: CompiledMachine,
): MoveReport["problems"] {
  const own = Object.entries(mapping).filter(([from, to]) => Object.hasOwn(visits, from) && from !== to);
  return own.flatMap(([stateId, to]) => {
    if (!after.states.has(to)) return [{ stateId, message: `The version has no state ${to}` }];
    if (Object.hasOwn(visits, to) && !Object.hasOwn(mapping, to))
      return [{ stateId, message: `The run has been in ${to} already, so nothing else can take its place` }];
    if (own.some(([other, target]) => other !== stateId && target === to))
      return [{ stateId, message: `Two states of the run are mapped to ${to}` }];
    // Their items are found again by the name of the step.
    if (units.some(({ nodeId, wait }) => renamed(nodeId, mapping) !== nodeId && wait?.for === "items"))
      return [{ stateId, message: "Its items are under way; a step with items under way keeps its name" }];
    return [];
  });
}

/** States that the run has been in and the version does not have. */
function whoMayHaveMade(
  stateId: string,
  { before, after, state, mapping }: Omit<MoveQuestion, "definition">,
): Proposal[] {
  const wanted = after.states.get(stateId);
  if (wanted === undefined) return [];
  return proposeStates(
    [after, wanted],
    before,
    ({ id }) => !Object.hasOwn(state.visits, id) || after.states.has(id) || Object.hasOwn(mapping, id),
  );
}

function changedStates(
  before: CompiledMachine,
  after: CompiledMachine,
  { visits }: RunState,
  mapping: StateMapping,
): string[] {
  return Object.keys(visits).filter((id) => {
    const [old, now] = [before.states.get(id), after.states.get(renamed(id, mapping))];
    return old !== undefined && now !== undefined && !isSameJson(describe(old), describe(now));
  });
}

function describe({ invoke, kind }: StateInfo): Json {
  return invoke ? { src: invoke.src, version: invoke.version, input: invoke.rawInput } : kind;
}
