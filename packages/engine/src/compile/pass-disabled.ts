import { type Definition, type State, toTransitions } from "@oven/contract/workflow";

/**
 * The definition as it runs: a state that is switched off does nothing and passes on to where it would go when it is done.
 * The same object when none is.
 */
export function passDisabled(definition: Definition): Definition {
  const states = passAll(definition.states);
  return states === definition.states ? definition : { ...definition, states };
}

/** Where a run goes on past a state that is switched off; undefined: nowhere for sure. */
export function wayOn(state: State): string | undefined {
  const ways = state.invoke?.onDone ?? state.loop?.onDone ?? state.onDone ?? state.always;
  return toTransitions(ways).find(({ target, guard }) => target !== undefined && guard === undefined)?.target;
}

function passAll(states: Record<string, State>): Record<string, State> {
  const entries = Object.entries(states).map(([id, state]) => [id, pass(state)] as const);
  return entries.every(([id, state]) => state === states[id]) ? states : Object.fromEntries(entries);
}

function pass(state: State): State {
  if (state.disabled === true) {
    const { label, description, meta } = state;
    const target = wayOn(state);
    return {
      ...(label === undefined ? {} : { label }),
      ...(description === undefined ? {} : { description }),
      ...(meta === undefined ? {} : { meta }),
      ...(target === undefined ? {} : { always: target }),
    };
  }
  const { states, loop } = state;
  const inner = states && passAll(states);
  const body = loop && passAll(loop.bodyStates);
  if (inner === states && body === loop?.bodyStates) return state;
  return {
    ...state,
    ...(inner === undefined ? {} : { states: inner }),
    ...(loop === undefined || body === undefined ? {} : { loop: { ...loop, bodyStates: body } }),
  };
}
