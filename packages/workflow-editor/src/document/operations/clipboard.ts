import { isObject, isOvenError, type Json, type JsonObject, parseJson } from "@oven/contract";
import { t } from "@oven/i18n";
import { findState, indexStates, isContainer, isLoop, listTransitions, objectAt, outermost } from "@oven/scope";
import type { Edit, Refusal } from "../edit.ts";
import { freeStateId, takenIds } from "../state-ids.ts";
import { removeTransitions } from "../transitions.ts";
import { putState } from "./add-state.ts";
import { type Point, readPositions, setPositions } from "./positions.ts";
import { renameStates } from "./rename-state.ts";

const MARKER = "oven/states";

/** What stands on the clipboard: the states, where they stood, and which text format it is. */
interface Copied {
  states: JsonObject;
  positions: ReadonlyMap<string, Point>;
}

/** States as text, to be pasted here, in another workflow or into a message. */
export function copyStates(document: JsonObject, ids: readonly string[], placed: ReadonlyMap<string, Point>): string {
  const tops = outermost(document, ids);
  const states = Object.fromEntries(tops.map(({ id, state }): [string, Json] => [id, state]));
  const positions = Object.fromEntries(
    indexStates({ states }).list.flatMap(({ id }): [string, Json][] => {
      const point = placed.get(id);
      return point === undefined ? [] : [[id, { x: Math.round(point.x), y: Math.round(point.y) }]];
    }),
  );
  return JSON.stringify({ format: MARKER, states, positions }, null, 2);
}

/** Text as copied here, a whole definition, or a bare map of states; null when it is none of them. */
function readCopied(text: string): Copied | null {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    // Pasted JSON with a number that would be changed is no definition either: the server would refuse it.
    if (cause instanceof SyntaxError || isOvenError(cause)) return null;
    throw cause;
  }
  if (!isObject(value)) return null;
  if (isObject(value.states)) {
    const positions = value.format === MARKER ? { meta: { positions: value.positions ?? {} } } : value;
    return { states: value.states, positions: readPositions(positions) };
  }
  const entries = Object.values(value);
  const looksLikeStates =
    entries.length > 0 &&
    entries.every(
      (entry) =>
        isObject(entry) && ["invoke", "always", "on", "after", "states", "type", "loop"].some((key) => key in entry),
    );
  return looksLikeStates ? { states: value, positions: new Map() } : null;
}

/** Whether text holds states. */
export function holdsStates(text: string): boolean {
  return readCopied(text) !== null;
}

export interface PasteSpot {
  container: string | null;
  /** Where the upper left of what is pasted goes; absent: beside where it stood. */
  at?: Point | undefined;
}

/**
 * Puts copied states into a container. Ids that are used already change, with what refers to them among the pasted ones; lines to
 * states that were not copied are left out.
 */
export function pasteStates(
  document: JsonObject,
  text: string,
  { container: containerId, at }: PasteSpot,
): Edit | Refusal {
  const copied = readCopied(text);
  if (copied === null) return { reason: t("There are no states on the clipboard") };
  const container = containerId === null ? undefined : findState(document, containerId);
  if (containerId !== null && (container === undefined || !isContainer(container)))
    return { reason: t("{{containerId}} cannot hold states", { containerId }) };
  const taken = takenIds(document);
  const names = new Map<string, string>();
  const own = indexStates({ states: copied.states }).list;
  for (const { id } of own) {
    const name = taken.has(id) || names.has(id) ? freeStateId(id, taken) : id;
    taken.add(name);
    if (name !== id) names.set(id, name);
  }
  const alone: JsonObject = { states: copied.states };
  const known = new Set(own.map(({ id }) => id));
  const inner = removeTransitions(
    alone,
    listTransitions(alone).filter(({ target }) => target !== null && !known.has(target)),
  );
  const renamed = renameStates(inner, names);
  let pasted = document;
  const select: string[] = [];
  for (const [id, state] of Object.entries(objectAt(renamed, ["states"]))) {
    if (!isObject(state)) continue;
    if (state.type === "history" && (container === undefined || isLoop(container))) continue;
    const { outcome, ...rest } = state;
    // Only at the top does an end say how the run ends.
    const fitting: JsonObject = container === undefined || outcome === undefined ? state : rest;
    const here = containerId === null ? undefined : findState(pasted, containerId);
    pasted = putState(pasted, here, id, fitting);
    select.push(id);
  }
  if (select.length === 0) return { reason: t("Nothing on the clipboard can stand here") };
  return { document: place(pasted, copied, names, own[0] === undefined ? [] : own, at), select };
}

const BESIDE = 40;

function place(
  document: JsonObject,
  { positions }: Copied,
  names: ReadonlyMap<string, string>,
  own: readonly { id: string; parent: unknown }[],
  at: Point | undefined,
): JsonObject {
  if (positions.size === 0 && at === undefined) return document;
  const tops = own.filter(({ parent }) => parent === undefined);
  const points = tops.map(({ id }, index) => positions.get(id) ?? { x: index * 300, y: 0 });
  const corner = { x: Math.min(...points.map(({ x }) => x)), y: Math.min(...points.map(({ y }) => y)) };
  const move = at === undefined ? { x: BESIDE, y: BESIDE } : { x: at.x - corner.x, y: at.y - corner.y };
  const topPoints = tops.map(({ id }, index): [string, Point] => {
    const point = points[index] ?? corner;
    return [names.get(id) ?? id, { x: point.x + move.x, y: point.y + move.y }];
  });
  const inner = own
    .filter(({ parent }) => parent !== undefined)
    .flatMap(({ id }): [string, Point][] => {
      const point = positions.get(id);
      return point === undefined ? [] : [[names.get(id) ?? id, point]];
    });
  return setPositions(document, [...topPoints, ...inner]);
}

/** A copy of states beside them, in the same container. */
export function duplicateStates(
  document: JsonObject,
  ids: readonly string[],
  placed: ReadonlyMap<string, Point>,
): Edit | Refusal {
  const [first] = outermost(document, ids);
  if (first === undefined) return { reason: t("Select states first") };
  const here = outermost(document, ids).filter(({ parent }) => parent === first.parent);
  const text = copyStates(
    document,
    here.map(({ id }) => id),
    placed,
  );
  return pasteStates(document, text, { container: first.parent?.id ?? null });
}
