import { type Action, type Transition, type TransitionObject, toTransitions } from "@oven/contract/workflow";
import { compileGuard } from "../expressions/guard.ts";
import { compileAction } from "./action.ts";
import { effect } from "./effect.ts";
import type { DeliveredEvent, MachineContext, MachineFrame } from "./machine-frame.ts";
import { isWithin, type StateInfo, toMachineId } from "./state-info.ts";

/** The part of XState's configuration used here; its own types need the whole machine's generics. */
export interface TransitionConfig {
  target?: string;
  guard: (args: { context: MachineContext; event: DeliveredEvent }) => boolean;
  actions: unknown[];
  reenter?: boolean;
}

/** Where a transition stands. */
export interface TransitionSource {
  info: StateInfo;
  /** What an id named in this state's transitions is prefixed with when it is an inner one. */
  prefix: string;
  states: ReadonlyMap<string, StateInfo>;
}

export interface TransitionExtras {
  /** Actions before the transition's own. */
  first?: unknown[];
  /** Asked before the transition's guard. */
  when?: (frame: MachineFrame) => boolean;
}

export function toActions(actions: Action[] | undefined, owner: StateInfo): unknown[] {
  return (actions ?? []).map((action) => {
    const compiled = compileAction(action);
    return effect((frame, event) => frame.act(compiled, owner, event));
  });
}

export function toTransitionConfigs(
  list: Transition | undefined,
  source: TransitionSource,
  extras: TransitionExtras = {},
): TransitionConfig[] {
  return toTransitions(list).map((transition) => toTransitionConfig(transition, source, extras));
}

function toTransitionConfig(
  transition: TransitionObject,
  { info, prefix, states }: TransitionSource,
  { first = [], when }: TransitionExtras,
): TransitionConfig {
  const guard = transition.guard === undefined ? undefined : compileGuard(transition.guard);
  const config: TransitionConfig = {
    guard: ({ context: { frame }, event }) => when?.(frame) !== false && frame.test(guard, info, event),
    actions: [...first, ...toActions(transition.actions, info)],
  };
  if (transition.target !== undefined) {
    const inner = prefix + transition.target;
    const target = states.has(inner) ? inner : transition.target;
    config.target = `#${toMachineId(target)}`;
    if (transition.reenter === true || mustReenter(info, states.get(target))) config.reenter = true;
  }
  return config;
}

/**
 * A node that targets itself would plan nothing, and history that leads back to the very state that aims at it would
 * enter it without leaving it. A compound that targets itself keeps XState's meaning.
 */
function mustReenter(source: StateInfo, target: StateInfo | undefined): boolean {
  if (target === source) return source.invoke !== undefined;
  const remembered = target?.kind === "history" ? target.parent : undefined;
  return remembered !== undefined && remembered !== source && isWithin(source, remembered);
}

/** A move the machine itself makes between the inner states of a loop. */
export function toInnerMove(owner: StateInfo, target: string, first: unknown[] = []): TransitionConfig {
  return {
    target: `#${toMachineId(target)}`,
    guard: ({ context, event }) => context.frame.test(undefined, owner, event),
    actions: first,
  };
}
