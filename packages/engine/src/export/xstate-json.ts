import type { Json, JsonObject } from "@oven/contract";
import {
  type Action,
  type Definition,
  type Guard,
  type Loop,
  type State,
  type Transition,
  type TransitionObject,
  toTransitions,
} from "@oven/contract/workflow";
import { loopOf } from "../compile/compile-loop.ts";
import { passDisabled } from "../compile/pass-disabled.ts";
import { parseDuration } from "../expressions/duration.ts";

/**
 * A valid definition as configuration for XState's `createMachine`. Guards and actions keep their type and params, for
 * `provide({ guards, actions })`; nodes are `invoke`s by name. A loop is a state with `next`, `body` and `end`, its
 * counting left to the guard `loop.hasNext` and the actions `loop.begin`, `loop.next`, `loop.complete`, `loop.fail`.
 */
export function toXStateJson(definition: Definition): JsonObject {
  const { id, name, description, type, initial, context, on, entry, states, meta } = passDisabled(definition);
  const place: Place = { around: [], remembered: new Map(historyStates(states)) };
  return compact({
    id: id ?? name ?? "workflow",
    description,
    ...(type === "parallel" ? { type } : { initial }),
    context: context ?? {},
    entry: toActions(entry),
    on: toMap(on, { step: undefined, place }),
    states: toStates(states, place),
    meta,
  });
}

function historyStates(states: Record<string, State>, parent = ""): [string, string][] {
  return Object.entries(states).flatMap(([id, state]): [string, string][] =>
    state.type === "history"
      ? [[id, parent]]
      : [...historyStates(state.states ?? {}, id), ...historyStates(state.loop?.bodyStates ?? {}, id)],
  );
}

function toStates(states: Record<string, State>, place: Place): JsonObject {
  return Object.fromEntries(Object.entries(states).map(([id, state]) => [id, toState(id, state, place)]));
}

function toState(id: string, state: State, place: Place): JsonObject {
  const loop = loopOf(state);
  const { type, history, target, invoke } = state;
  const owner: Owner = { step: loop || invoke ? id : undefined, place };
  const inside: Place = { ...place, around: [...place.around, id] };
  if (type === "history") return compact({ id, type, history: history ?? "shallow", target: target && `#${target}` });
  const inner = loop
    ? toLoop(id, loop, inside)
    : compact({ initial: state.initial, states: state.states && toStates(state.states, inside) });
  const onError = loop ? loop.onError : state.onError;
  const steps = onError === undefined ? [] : nodesWithin(id, state);
  const handlers = steps.map((node) => [`xstate.error.actor.${node}`, toTransition(onError, owner)] as const);
  const on = { ...toMap(state.on, owner), ...Object.fromEntries(handlers) };
  return compact({
    id,
    type: type === "parallel" || type === "final" ? type : undefined,
    description: state.description,
    entry: toActions(state.entry, loop ? [loopAction("begin", id)] : []),
    exit: toActions(state.exit),
    ...inner,
    invoke:
      !loop && invoke
        ? compact({
            id,
            src: invoke.src,
            input: invoke.input ?? {},
            onDone: toTransition(invoke.onDone, owner),
            onError: toTransition(invoke.onError, owner),
          })
        : undefined,
    always: toTransition(state.always, owner),
    on: Object.keys(on).length === 0 ? undefined : compact(on),
    after: state.after && toDelays(state.after, owner),
    onDone: toTransition(loop ? loop.onDone : state.onDone, owner),
    output: state.output,
    meta: toMeta(state),
  });
}

function toLoop(id: string, loop: Loop, inside: Place): JsonObject {
  const { bodyInitial, bodyStates, onDone: _onDone, onError: _onError, ...settings } = loop;
  const params = { loop: id, ...settings } as unknown as JsonObject; // cast: what is left of a loop is JSON
  const goOn = (action: "complete" | "fail"): Json => [{ target: `#${id}.next`, actions: [loopAction(action, id)] }];
  const failures = Object.entries(bodyStates)
    .flatMap(([key, state]) => nodesWithin(key, state))
    .map((node) => [`xstate.error.actor.${node}`, goOn("fail")] as const);
  return {
    initial: "next",
    states: {
      next: {
        always: [
          { guard: { type: "loop.hasNext", params }, target: `#${id}.body`, actions: [loopAction("next", id)] },
          { target: `#${id}.end` },
        ],
      },
      body: {
        initial: bodyInitial,
        states: toStates(bodyStates, inside),
        onDone: goOn("complete"),
        ...(loop.continueOnError && failures.length > 0 ? { on: Object.fromEntries(failures) } : {}),
      },
      end: { type: "final" },
    },
  };
}

function loopAction(verb: "begin" | "next" | "complete" | "fail", loop: string): JsonObject {
  return { type: `loop.${verb}`, params: { loop } };
}

/** The states whose node may fail inside a state, itself included. */
function nodesWithin(id: string, state: State): string[] {
  const inner = Object.entries({ ...state.states, ...state.loop?.bodyStates });
  return [...(state.invoke && !state.loop ? [id] : []), ...inner.flatMap(([key, child]) => nodesWithin(key, child))];
}

function toMap(map: Record<string, Transition> | undefined, owner: Owner): JsonObject | undefined {
  if (!map) return undefined;
  return Object.fromEntries(Object.entries(map).map(([event, list]) => [event, toTransition(list, owner) ?? []]));
}

/** XState takes milliseconds. Two entries of one length become one list. */
function toDelays(after: Record<string, Transition>, owner: Owner): JsonObject {
  const delays: Record<string, Json[]> = {};
  for (const [key, list] of Object.entries(after)) {
    const milliseconds = String(parseDuration(/^\d+$/.test(key) ? Number(key) : key));
    delays[milliseconds] = [...(delays[milliseconds] ?? []), ...toTransitions(list).map((one) => toObject(one, owner))];
  }
  return delays;
}

function toTransition(list: Transition | undefined, owner: Owner): Json | undefined {
  return list === undefined ? undefined : toTransitions(list).map((transition) => toObject(transition, owner));
}

/** The state that a transition belongs to. */
interface Owner {
  /** Its own id when it is a node or a loop. */
  step: string | undefined;
  place: Place;
}

interface Place {
  /** The ids of the states around it. */
  around: readonly string[];
  /** The parent of each history state. */
  remembered: ReadonlyMap<string, string>;
}

/** What is entered again here when a transition leads back to its own state takes `reenter` in XState. */
function toObject({ target, guard, actions, reenter, description, meta }: TransitionObject, owner: Owner): JsonObject {
  return compact({
    target: target === undefined ? undefined : `#${target}`,
    guard: guard && toGuard(guard),
    actions: toActions(actions),
    reenter: leadsBack(target, owner) ? true : reenter,
    description,
    meta,
  });
}

function leadsBack(target: string | undefined, { step, place }: Owner): boolean {
  if (target === undefined) return false;
  const remembered = place.remembered.get(target);
  return target === step || (remembered !== undefined && place.around.includes(remembered));
}

function toGuard(guard: Guard): JsonObject {
  const { type, ...rest } = guard;
  const { params, ...others } = { params: {}, ...rest };
  return { type, params: { ...params, ...others } as unknown as JsonObject }; // cast: a guard is JSON
}

function toActions(actions: readonly Action[] | undefined, more: readonly JsonObject[] = []): Json | undefined {
  const list = (actions ?? []).map(({ type, params, guard }) =>
    // cast: an action is JSON
    compact({ type, params: { ...params, ...(guard ? { guard } : {}) } as unknown as JsonObject }),
  );
  return list.length + more.length === 0 ? undefined : [...list, ...more];
}

function toMeta({ label, outcome, meta }: State): JsonObject | undefined {
  const all = compact({ ...meta, label, outcome });
  return Object.keys(all).length === 0 ? undefined : all;
}

function compact(object: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
