import type { CompiledMachine } from "../compile/machine.ts";
import { type StateInfo, toMachineId } from "../compile/state-info.ts";
import { isSameJson } from "../expressions/json-access.ts";

/** A state that may take the place of another one. */
export interface Proposal {
  stateId: string;
  label: string | null;
  /** From 0 to 1: how alike the two are. */
  score: number;
}

/** Proposals for one state at most. */
const MOST = 10;

/**
 * States of the same kind and node type, the most alike first: by label, id, input, and what they lead to.
 * @param taken ids that are not to be proposed
 */
export function proposeStates(
  [from, state]: readonly [CompiledMachine, StateInfo],
  to: CompiledMachine,
  taken: (candidate: StateInfo) => boolean,
): Proposal[] {
  const proposals = [...to.states.values()].flatMap((candidate): Proposal[] => {
    if (!isLike(state, candidate) || candidate.id.includes(".") || taken(candidate)) return [];
    const { id, label = null } = candidate;
    return [{ stateId: id, label, score: scoreOf([from, state], [to, candidate]) }];
  });
  return proposals
    .toSorted((one, other) => other.score - one.score || (one.stateId < other.stateId ? -1 : 1))
    .slice(0, MOST);
}

/** Whether a run that waits in one could wait in the other. */
export function isLike(one: StateInfo, other: StateInfo): boolean {
  return (
    one.kind === other.kind && one.invoke?.src === other.invoke?.src && one.invoke?.version === other.invoke?.version
  );
}

function scoreOf(
  [from, one]: readonly [CompiledMachine, StateInfo],
  [to, other]: readonly [CompiledMachine, StateInfo],
): number {
  const label = similarity(one.label ?? one.id, other.label ?? other.id);
  const id = similarity(one.id, other.id);
  const input = isSameJson(one.invoke?.rawInput ?? null, other.invoke?.rawInput ?? null) ? 1 : 0;
  const position = overlap(targetsOf(from, one), targetsOf(to, other));
  return Math.round((0.35 * label + 0.25 * id + 0.2 * input + 0.2 * position) * 100) / 100;
}

function targetsOf({ machine }: CompiledMachine, { id }: StateInfo): Set<string> {
  const node = machine.getStateNodeById(toMachineId(id));
  const transitions = [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
  return new Set(transitions.flatMap(({ target }) => (target ?? []).map((one) => one.id)));
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = new Set([...one, ...other]).size;
  return all === 0 ? 1 : [...one].filter((entry) => other.has(entry)).length / all;
}

/** The share of neighbouring pairs of letters that two names have in common. */
function similarity(one: string, other: string): number {
  if (one.toLowerCase() === other.toLowerCase()) return 1;
  return overlap(pairsOf(one), pairsOf(other));
}

function pairsOf(text: string): Set<string> {
  const lower = ` ${text.toLowerCase()} `;
  return new Set(Array.from({ length: lower.length - 1 }, (_, at) => lower.slice(at, at + 2)));
}
