import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { t } from "@oven/i18n";
import {
  childrenAddress,
  findState,
  getAt,
  initialAddress,
  isContainer,
  isInside,
  isParallel,
  objectAt,
  type StatePlace,
  setAt,
  type TransitionPlace,
  withKey,
} from "@oven/scope";
import type { Edit, Refusal } from "../edit.ts";
import { freeStateId, takenIds } from "../state-ids.ts";
import { setTarget } from "../transitions.ts";
import { connect, type Outlet } from "./connect.ts";
import { type Point, setPosition } from "./positions.ts";

/** A state to be made: what its id is made from, and its JSON. */
export interface NewState {
  wish: string;
  state: JsonObject;
}

export interface Spot {
  /** Id of the container; null: the definition itself. */
  container: string | null;
  position?: Point | undefined;
}

/** Puts a state into a container, behind `after` in the order of the definition; the first one there is where it begins. */
export function putState(
  document: JsonObject,
  container: StatePlace | undefined,
  id: string,
  state: JsonObject,
  after?: string,
): JsonObject {
  const address = childrenAddress(container);
  const put = setAt(document, address, withKey(objectAt(document, address), id, state, after));
  const initial = initialAddress(container);
  const begins = getAt(put, initial);
  const known = typeof begins === "string" && Object.hasOwn(objectAt(put, address), begins);
  return isParallel(document, container) || known || state.type === "history" ? put : setAt(put, initial, id);
}

/** A new state. Of a loop or group the inner states come with it in `state`. */
export function addState(document: JsonObject, { wish, state }: NewState, spot: Spot): Edit | Refusal {
  const container = spot.container === null ? undefined : findState(document, spot.container);
  if (spot.container !== null && (container === undefined || !isContainer(container)))
    return { reason: t("{{container}} cannot hold states", { container: spot.container }) };
  if (state.type === "history" && (container === undefined || isObject(container.state.loop)))
    return { reason: t("A history state remembers the group around it: put it into a group") };
  const id = freeStateId(wish, takenIds(document));
  const put = putState(document, container, id, state);
  return { document: spot.position === undefined ? put : setPosition(put, id, spot.position), select: [id] };
}

/** A new state at the end of a line that was dropped on empty canvas. */
export function addConnected(document: JsonObject, outlet: Outlet, made: NewState, spot: Spot): Edit | Refusal {
  const added = addState(document, made, spot);
  if ("reason" in added) return added;
  const [id = ""] = added.select ?? [];
  const connected = connect(added.document, outlet, id);
  return "reason" in connected ? connected : { ...connected, select: [id] };
}

/** A new state on a line: what led to the target leads to it, and it leads to the target. `transition` null: the start's line. */
export function insertOnTransition(
  document: JsonObject,
  transition: TransitionPlace | null,
  { wish, state }: NewState,
  position?: Point,
): Edit | Refusal {
  const target = findState(document, transition === null ? String(document.initial) : (transition.target ?? ""));
  if (target === undefined) return { reason: t("This line leads nowhere") };
  if (state.type === "final") return { reason: t("Nothing leads on from an end") };
  const source = transition?.owner;
  const container = sharedContainer(document, source, target);
  const id = freeStateId(wish, takenIds(document));
  const after = source?.parent === container ? source?.id : undefined;
  const put = putState(document, container, id, leadingTo(state, target.id), after);
  const led = transition === null ? setAt(put, ["initial"], id) : setTarget(put, transition.address, id);
  return { document: position === undefined ? led : setPosition(led, id, position), select: [id] };
}

/** The state with its main way on set. */
function leadingTo(state: JsonObject, target: string): JsonObject {
  if (isObject(state.invoke)) return { ...state, invoke: { ...state.invoke, onDone: target } };
  if (isObject(state.loop)) return { ...state, loop: { ...state.loop, onDone: target } };
  if (isObject(state.states)) return { ...state, onDone: target };
  return { ...state, always: target };
}

/** Where a state between two others stands: beside the source, unless that would make it a region of its own. */
function sharedContainer(
  document: JsonObject,
  source: StatePlace | undefined,
  target: StatePlace,
): StatePlace | undefined {
  let container = source === undefined || isInside(target, source) ? target.parent : source.parent;
  while (container !== undefined && isParallel(document, container)) container = container.parent;
  return container;
}
