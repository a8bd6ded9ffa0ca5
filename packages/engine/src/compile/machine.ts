import type { JsonObject } from "@oven/contract";
import type { State } from "@oven/contract/workflow";
import { type AnyStateMachine, createMachine } from "xstate";
import type { RunSettings } from "../ports.ts";
import { loopOf } from "./compile-loop.ts";
import { effect } from "./effect.ts";
import type { MachineContext } from "./machine-frame.ts";
import { type StateInfo, toMachineId } from "./state-info.ts";
import { type TransitionConfig, toActions, toInnerMove, toTransitionConfigs } from "./transition-config.ts";

/** Eventless moves in one macrostep before the run fails instead of spinning. */
export const MAX_EVENTLESS_MOVES = 1_000;
const ROOT_ID = "$root";

export interface CompiledMachine {
  machine: AnyStateMachine;
  /** By full id; the root is not in it. */
  states: ReadonlyMap<string, StateInfo>;
  root: StateInfo;
  hash: string;
  variables: JsonObject;
  /** What the run's output must fit. */
  outputSchema: JsonObject | undefined;
  maxSteps: number;
  timeoutMs: number;
  maxTokens: number | undefined;
  maxCostMicros: number | undefined;
  /** The loop whose body this is. */
  part: string | null;
  /** Whether the log keeps what each move was made of. */
  checkpoints: boolean;
  settings: Omit<RunSettings, "workflowId" | "workflowName">;
}

/** A state on its way into the machine. */
export interface MachineNode {
  info: StateInfo;
  key: string;
  state: State;
  /** What an id named in this state's transitions is prefixed with when it is an inner one. */
  prefix: string;
  initial: string | undefined;
  children: MachineNode[];
}

/** The part of XState's configuration used here; its own types need the whole machine's generics. */
interface StateConfig {
  id?: string;
  type?: "parallel" | "final" | "history";
  history?: "shallow" | "deep";
  target?: string;
  initial?: string;
  states?: Record<string, StateConfig>;
  entry?: unknown[];
  exit?: unknown[];
  on?: Record<string, TransitionConfig[]>;
  always?: TransitionConfig[];
  onDone?: TransitionConfig[];
}

type Source = Omit<CompiledMachine, "machine" | "root"> & { root: MachineNode };

export function toMachine({ root, states, ...rest }: Source): CompiledMachine {
  const config: StateConfig & { options: object; context: object } = {
    ...toConfig(root, states),
    id: ROOT_ID,
    options: { maxIterations: MAX_EVENTLESS_MOVES },
    context: (args: { input: MachineContext }) => args.input,
  };
  // cast: built from the definition at run time, so XState's generics have nothing to infer from
  const machine = createMachine(config as never) as unknown as AnyStateMachine;
  return { ...rest, machine, states, root: root.info };
}

function toConfig(node: MachineNode, states: ReadonlyMap<string, StateInfo>): StateConfig {
  const { info, state } = node;
  if (info.kind === "history") return toHistory(node, states);
  const config: StateConfig = { id: toMachineId(info.id) };
  if (info.kind === "final" || info.kind === "end") config.type = "final";
  if (info.kind === "parallel" || state.type === "parallel") config.type = "parallel";
  else if (node.children.length > 0) config.initial = node.initial ?? node.children[0]?.key ?? "";
  if (node.children.length > 0) {
    config.states = Object.fromEntries(node.children.map((child) => [child.key, toConfig(child, states)]));
  }
  config.entry = [...toActions(state.entry, info), effect((frame) => frame.enter(info))];
  config.exit = [effect((frame) => frame.leave(info)), ...toActions(state.exit, info)];
  addTransitions(config, node, states);
  return config;
}

function addTransitions(config: StateConfig, node: MachineNode, states: ReadonlyMap<string, StateInfo>): void {
  const { info, state } = node;
  const source = { ...node, states };
  const on: Record<string, TransitionConfig[]> = {};
  const loop = loopOf(state);
  if (state.always) config.always = toTransitionConfigs(state.always, source, { when: (frame) => frame.mayGoOn() });
  const onDone = loop ? loop.onDone : (state.invoke?.onDone ?? state.onDone);
  if (onDone) {
    const first = info.kind === "parallel" ? [effect((frame) => frame.completeParallel(info))] : [];
    const list = [...toTransitionConfigs(onDone, source, { first }), noTransition(info)];
    if (info.kind === "node" || info.kind === "fanOut") on[`oven.done.${info.id}`] = list;
    else config.onDone = list;
  }
  const onError = loop ? loop.onError : (state.invoke?.onError ?? state.onError);
  if (onError) {
    const list = toTransitionConfigs(onError, source, {
      first: [effect((frame, event) => frame.handleError(info, event))],
    });
    for (const id of idsWithin(info)) on[`oven.error.${id}`] = list;
  }
  for (const [name, transition] of Object.entries(state.on ?? {})) {
    on[`oven.event.${name}`] = toTransitionConfigs(transition, source, {
      first: [effect((frame, event) => frame.takeEvent(info, event))],
      when: (frame) => frame.mayTake(info),
    });
  }
  for (const [key, transition] of Object.entries(state.after ?? {})) {
    on[`oven.after.${info.id}.${key}`] = toTransitionConfigs(transition, source);
  }
  addLoopMoves(config, on, info);
  if (info.kind === "root") addUndoMoves(on, info, states);
  if (Object.keys(on).length > 0) config.on = on;
}

/** From wherever the run is to what undoes a step; a pass of a loop has no such states. */
function addUndoMoves(
  on: Record<string, TransitionConfig[]>,
  root: StateInfo,
  states: ReadonlyMap<string, StateInfo>,
): void {
  for (const { id, undo } of states.values())
    if (undo !== undefined && states.has(undo)) on[`oven.undo.${id}`] = [toInnerMove(root, undo)];
}

/** A loop comes to rest before each iteration: the plan decides there whether it goes on. */
function addLoopMoves(config: StateConfig, on: Record<string, TransitionConfig[]>, info: StateInfo): void {
  const { loop } = info;
  if (info.kind === "next" && loop) {
    on[`oven.next.${loop.id}`] = [toInnerMove(info, `${loop.id}.body`)];
    on[`oven.end.${loop.id}`] = [toInnerMove(info, `${loop.id}.end`)];
  }
  if (info.kind !== "body" || !loop) return;
  config.onDone = [toInnerMove(info, `${loop.id}.next`)];
  if (!loop.looping?.continueOnError) return;
  const failed = effect((frame, event) => frame.failIteration(loop, event));
  for (const id of idsWithin(info)) on[`oven.error.${id}`] = [toInnerMove(info, `${loop.id}.next`, [failed])];
}

function toHistory({ info, state, prefix }: MachineNode, states: ReadonlyMap<string, StateInfo>): StateConfig {
  const config: StateConfig = { id: toMachineId(info.id), type: "history", history: state.history ?? "shallow" };
  if (state.target === undefined) return config;
  const target = states.has(prefix + state.target) ? prefix + state.target : state.target;
  return { ...config, target: `#${toMachineId(target)}` };
}

/** When every guard said no, that is an error, not a silent stop. */
function noTransition(info: StateInfo): TransitionConfig {
  return {
    guard: ({ context, event }) => context.frame.test(undefined, info, event),
    actions: [effect((frame) => frame.noTransition(info))],
  };
}

function idsWithin(info: StateInfo): string[] {
  return [info.id, ...info.children.flatMap(idsWithin)];
}
