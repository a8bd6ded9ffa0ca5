import {
  type Action,
  type JsonObject,
  type State,
  type Transition,
  type TransitionObject,
  toTransitions,
} from "@oven/contract";
import { type AnyStateMachine, assign, createMachine } from "xstate";
import { compileGuard } from "../expressions/guard.ts";
import type { RunSettings } from "../ports.ts";
import { compileAction } from "./action.ts";
import type { DeliveredEvent, MachineContext, MachineFrame } from "./machine-frame.ts";
import { type StateInfo, toMachineId } from "./state-info.ts";

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
  type?: "parallel" | "final";
  initial?: string;
  states?: Record<string, StateConfig>;
  entry?: unknown[];
  exit?: unknown[];
  on?: Record<string, TransitionConfig[]>;
  always?: TransitionConfig[];
  onDone?: TransitionConfig[];
}
interface TransitionConfig {
  target?: string;
  guard: (args: MachineArgs) => boolean;
  actions: unknown[];
  reenter?: boolean;
}
interface MachineArgs {
  context: MachineContext;
  event: DeliveredEvent;
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

/** An action that runs at once, in order with all others, on the frame. */
function effect(run: (frame: MachineFrame, event: DeliveredEvent) => void): unknown {
  return assign(({ context, event }: { context: MachineContext; event: DeliveredEvent }) => {
    run(context.frame, event);
    return {};
  });
}

function toConfig(node: MachineNode, states: ReadonlyMap<string, StateInfo>): StateConfig {
  const { info, state } = node;
  const config: StateConfig = { id: toMachineId(info.id) };
  if (info.kind === "final") config.type = "final";
  if (info.kind === "parallel" || state.type === "parallel") config.type = "parallel";
  else if (node.children.length > 0) config.initial = node.initial ?? node.children[0]?.key ?? "";
  if (node.children.length > 0) {
    config.states = Object.fromEntries(node.children.map((child) => [child.key, toConfig(child, states)]));
  }
  config.entry = [...toActions(state.entry, info), effect((frame) => frame.enter(info))];
  config.exit = [effect((frame) => frame.leave(info)), ...toActions(state.exit, info)];

  const transitions = (list: Transition | undefined, first: unknown[] = []): TransitionConfig[] =>
    toTransitions(list).map((transition) => toTransition(transition, node, states, first));

  if (state.always) config.always = transitions(state.always);
  const onDone = state.invoke?.onDone ?? state.onDone;
  if (onDone) {
    const completed = info.kind === "parallel" ? [effect((frame) => frame.completeParallel(info))] : [];
    const list = [...transitions(onDone, completed), noTransition(info)];
    if (info.kind === "node") config.on = { [`oven.done.${info.id}`]: list };
    else config.onDone = list;
  }
  const onError = state.invoke?.onError ?? state.onError;
  if (onError) {
    const handled = effect((frame, event) => frame.handleError(info, event));
    const list = transitions(onError, [handled]);
    for (const id of idsWithin(info)) config.on = { ...config.on, [`oven.error.${id}`]: list };
  }
  return config;
}

/** When every guard said no, that is an error, not a silent stop. */
function noTransition(info: StateInfo): TransitionConfig {
  return {
    guard: ({ context, event }) => context.frame.test(undefined, info, event),
    actions: [effect((frame) => frame.noTransition(info))],
  };
}

function toTransition(
  transition: TransitionObject,
  node: MachineNode,
  states: ReadonlyMap<string, StateInfo>,
  first: unknown[],
): TransitionConfig {
  const { info } = node;
  const guard = transition.guard === undefined ? undefined : compileGuard(transition.guard);
  const config: TransitionConfig = {
    guard: ({ context, event }) => context.frame.test(guard, info, event),
    actions: [...first, ...toActions(transition.actions, info)],
  };
  if (transition.target !== undefined) {
    const inner = node.prefix + transition.target;
    const target = states.has(inner) ? inner : transition.target;
    config.target = `#${toMachineId(target)}`;
    // Without this a node that targets itself would plan nothing; a compound keeps XState's meaning.
    if (transition.reenter === true || (target === info.id && info.invoke !== undefined)) config.reenter = true;
  }
  return config;
}

function toActions(actions: Action[] | undefined, owner: StateInfo): unknown[] {
  return (actions ?? []).map((action) => {
    const compiled = compileAction(action);
    return effect((frame, event) => frame.act(compiled, owner, event));
  });
}

function idsWithin(info: StateInfo): string[] {
  return [info.id, ...info.children.flatMap(idsWithin)];
}
