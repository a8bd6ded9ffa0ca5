import { type Json, type JsonObject, OvenError } from "@oven/contract";
import {
  childrenAddress,
  findState,
  getAt,
  indexStates,
  isContainer,
  objectAt,
  removeAt,
  type StatePlace,
  setAt,
  transitionsOf,
  withKey,
} from "@oven/scope";

/** Changes of single states and settings of a definition. */
export interface StepEdits {
  /** By id: replaces the state that has the id, wherever it stands; an id that is new is added. */
  put?: Readonly<Record<string, JsonObject>> | undefined;
  /** Id of the state that new states of `put` stand in; without one they stand at the top. */
  inside?: string | undefined;
  remove?: readonly string[] | undefined;
  /** Members of the definition besides `states`; null removes one. */
  settings?: Readonly<Record<string, Json>> | undefined;
}

/** A state in one line. */
export interface StepOutline {
  step: string;
  /** What it invokes, else what kind of state it is. */
  does: string;
  label?: string;
  inside?: string;
  /** Ids of the states that it leads to. */
  to: string[];
}

/**
 * The definition with the changes made.
 * @throws OvenError INVALID_REQUEST for a state to remove, or to put others inside of, that is not there
 */
export function editSteps(
  definition: JsonObject,
  { put = {}, inside, remove = [], settings = {} }: StepEdits,
): JsonObject {
  let edited = definition;
  for (const id of remove) edited = removeAt(edited, requireState(edited, id, "remove").address);
  for (const [id, state] of Object.entries(put)) {
    const place = findState(edited, id);
    edited = place === undefined ? addState(edited, id, state, inside) : setAt(edited, place.address, state);
  }
  for (const [key, value] of Object.entries(settings)) {
    if (key === "states")
      throw new OvenError("INVALID_REQUEST", "`states` is no setting", {
        path: "$.settings.states",
        fix: "Send states in `put`, by id.",
      });
    edited = value === null ? removeAt(edited, [key]) : setAt(edited, [key], value);
  }
  return edited;
}

/** The states of a definition in its order. @param words of ids, labels and node types; empty: all */
export function outlineSteps(definition: JsonObject, words: string): StepOutline[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return indexStates(definition)
    .list.map(toOutline)
    .filter(({ step, does, label = "" }) => {
      const text = `${step} ${does} ${label}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
}

/** Which of the states differ, or are on one side only, by id. Positions on the canvas do not count. */
export function changedSteps(before: JsonObject, after: JsonObject): string[] {
  const ids = new Set([...indexStates(before).byId.keys(), ...indexStates(after).byId.keys()]);
  const own = (definition: JsonObject, id: string) => {
    const place = findState(definition, id);
    return place && JSON.stringify(withoutInner(place.state));
  };
  return [...ids].filter((id) => own(before, id) !== own(after, id));
}

function toOutline(place: StatePlace): StepOutline {
  const { id, state, parent } = place;
  const src = getAt(state, ["invoke", "src"]);
  const kind = state.loop === undefined ? (typeof state.type === "string" ? state.type : "choice") : "loop";
  const to = transitionsOf(place).flatMap(({ target }) => (target === null ? [] : [target]));
  return {
    ...{ step: id, does: typeof src === "string" ? src : kind },
    ...(typeof state.label === "string" ? { label: state.label } : {}),
    ...(parent === undefined ? {} : { inside: parent.id }),
    to: [...new Set(to)],
  };
}

function addState(definition: JsonObject, id: string, state: JsonObject, inside: string | undefined): JsonObject {
  const container = inside === undefined ? undefined : requireState(definition, inside, "inside");
  if (container !== undefined && !isContainer(container))
    throw new OvenError("INVALID_REQUEST", `No states can stand in ${container.id}`, {
      path: "$.inside",
      fix: "Name a loop, or a state that has `states`.",
    });
  const address = childrenAddress(container);
  return setAt(definition, address, withKey(objectAt(definition, address), id, state));
}

function requireState(definition: JsonObject, id: string, member: string): StatePlace {
  const place = findState(definition, id);
  if (place !== undefined) return place;
  throw new OvenError("INVALID_REQUEST", `There is no state ${JSON.stringify(id)}`, {
    path: `$.${member}`,
    fix: "read_steps lists the states that there are.",
  });
}

/** A container differs by what is its own; its states are looked at by themselves. */
function withoutInner({ states: _states, loop, ...state }: JsonObject): JsonObject {
  if (typeof loop !== "object" || loop === null || Array.isArray(loop)) return state;
  const { bodyStates: _body, ...own } = loop;
  return { ...state, loop: own };
}
