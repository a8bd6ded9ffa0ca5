import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { DefinitionSchema } from "@oven/contract/workflow";
import { findState, getAt, indexStates, isContainer, listTransitions, removeAt, WORKFLOW } from "@oven/scope";
import fc from "fast-check";
import { expect } from "vitest";
import { toGraph } from "../../graph/to-graph.ts";
import { type Edit, isRefused, type Refusal } from "../edit.ts";
import { addOutcome } from "../operations/add-outcome.ts";
import { addState, insertOnTransition } from "../operations/add-state.ts";
import { addFrame, addNote } from "../operations/annotations.ts";
import { setCollapsed, setDirection } from "../operations/canvas-view.ts";
import { copyStates, duplicateStates, pasteStates } from "../operations/clipboard.ts";
import { connect, type Outlet, reconnectTarget, setInitial } from "../operations/connect.ts";
import { deleteStates } from "../operations/delete-states.ts";
import { extractStates } from "../operations/extract-states.ts";
import { moveStates } from "../operations/move-states.ts";
import { clearPositions, setPositions } from "../operations/positions.ts";
import { renameState } from "../operations/rename-state.ts";
import { toggleDisabled } from "../operations/set-disabled.ts";
import { unwrapState, wrapStates } from "../operations/wrap-states.ts";
import { removeTransition } from "../transitions.ts";

/* Gestures of the editor as random data: each is one operation on a document, with numbers that choose the states it is made on. */

/** Every state and every transition carries something no editor knows. */
export function marked(definition: JsonObject): JsonObject {
  const mark = (value: Json, key: string): Json => {
    if (Array.isArray(value)) return value.map((item) => mark(item, key));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, child]): [string, Json] => [name, mark(child, name)]);
    const isTransition = typeof value.target === "string" && value.type !== "history";
    return Object.fromEntries(isTransition ? [...entries, ["x-line", value.target ?? null]] : entries);
  };
  let result = mark(definition, "");
  if (!isObject(result)) return definition;
  for (const { address, id } of indexStates(result).list) {
    const place = getAt(result, address);
    if (isObject(place)) Object.assign(place, { "x-id": id });
  }
  result = { ...result, "x-root": [1, { two: 2 }] };
  return freeze(result);
}

export function freeze<Value extends Json>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const child of Object.values(value)) freeze(child);
    Object.freeze(value);
  }
  return value;
}

function withoutExtensions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutExtensions);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith("x-"))
      .map(([key, child]) => [key, withoutExtensions(child)]),
  );
}

export const shapeOf = (document: JsonObject): boolean =>
  DefinitionSchema.safeParse(withoutExtensions(document)).success;

/** A gesture: which one, and numbers that choose the states it is made on. */
export interface Move {
  kind: number;
  one: number;
  two: number;
}

/** `into`: a container, where there is one. */
interface Pick {
  one: string;
  into: string;
  both: string[];
  at: number;
}

type Gesture = (document: JsonObject, pick: Pick) => Edit | Refusal;

const outletOf = (document: JsonObject, at: number): Outlet | null => {
  const handles = toGraph(document, undefined, { offer: true }).nodes.flatMap((node) => node.handles);
  return handles[at % Math.max(1, handles.length)]?.outlet ?? null;
};
const lineOf = (document: JsonObject, at: number) => {
  const all = listTransitions(document);
  return all[at % Math.max(1, all.length)] ?? null;
};

const GESTURES: Record<string, Gesture> = {
  add: (document, { one }) => {
    const place = findState(document, one);
    const container = place !== undefined && isContainer(place) ? one : (place?.parent?.id ?? null);
    return addState(document, { wish: "core.log", state: { invoke: { src: "task.pure" } } }, { container });
  },
  insert: (document, { at }) =>
    insertOnTransition(document, lineOf(document, at), { wish: "new", state: {} }, { x: 1, y: at }),
  connect: (document, { one, at }) => {
    const outlet = outletOf(document, at);
    return outlet === null ? { document } : connect(document, outlet, one);
  },
  reconnect: (document, { one, at }) => reconnectTarget(document, lineOf(document, at), one),
  disconnect: (document, { at }) => {
    const line = lineOf(document, at);
    return { document: line === null ? document : removeTransition(document, line) };
  },
  begin: (document, { one }) => setInitial(document, one),
  rename: (document, { one, at }) => renameState(document, one, `renamed_${at}`),
  delete: (document, { both }) => deleteStates(document, both),
  move: (document, { one, into }) => moveStates(document, [one], into, new Map([[one, { x: 3, y: 4 }]])),
  fold: (document, { both, at }) => ({ document: setCollapsed(document, both, at % 2 === 0) }),
  turn: (document, { at }) => ({ document: setDirection(document, at % 2 === 0 ? "down" : "right") }),
  own: (document, { at }) => addOutcome(document, WORKFLOW, "event", `event.${at}`),
  out: (document, { one }) => moveStates(document, [one], null),
  group: (document, { both }) => wrapStates(document, both, "compound"),
  regions: (document, { both }) => wrapStates(document, both, "parallel"),
  loop: (document, { both }) => wrapStates(document, both, "loop"),
  unwrap: (document, { both, at }) => {
    const wrapped = wrapStates(document, both, (["compound", "parallel", "loop"] as const)[at % 3] ?? "compound");
    return isRefused(wrapped) ? wrapped : unwrapState(wrapped.document, wrapped.select?.[0] ?? "");
  },
  duplicate: (document, { both }) => duplicateStates(document, both, new Map()),
  paste: (document, { one, into }) =>
    pasteStates(document, copyStates(document, [one], new Map()), { container: into }),
  extract: (document, { both }) => {
    // Generated states count their visits, which keeps them where they are.
    const bare = indexStates(document).list.reduce(
      (left, { address }) => removeAt(left, [...address, "entry"]),
      document,
    );
    const result = extractStates(bare, both, "other", "workflow");
    if ("reason" in result) return result;
    expect(shapeOf(result.definition), "what was extracted has no shape").toBe(true);
    return result;
  },
  outcome: (document, { one, at }) =>
    addOutcome(document, one, (["event", "timer", "branch"] as const)[at % 3] ?? "event", "PT5M"),
  disable: (document, { both }) => ({ document: toggleDisabled(document, both) }),
  note: (document) => addNote(document, { x: 1, y: 2 }, "note"),
  frame: (document, { both }) => addFrame(document, both),
  place: (document, { one, at }) => ({ document: setPositions(document, [[one, { x: at, y: at }]]) }),
  tidy: (document) => ({ document: clearPositions(document) }),
};
/** What a `kind` stands for. */
export const NAMES = Object.keys(GESTURES);
export const DELETE = NAMES.indexOf("delete");

export function makeGesture(document: JsonObject, { kind, one, two }: Move): { name: string; result: Edit | Refusal } {
  const places = indexStates(document).list;
  const ids = places.map(({ id }) => id);
  const containers = places.filter(isContainer).map(({ id }) => id);
  const first = ids[one % Math.max(1, ids.length)] ?? "";
  const second = ids[two % Math.max(1, ids.length)] ?? "";
  const name = NAMES[kind % NAMES.length] ?? "add";
  const both = [...new Set([first, second])];
  const gesture = GESTURES[name];
  if (gesture === undefined) throw new Error(`no gesture ${name}`);
  const into = containers[two % Math.max(1, containers.length)] ?? second;
  return { name, result: gesture(document, { one: first, into, both, at: one + two }) };
}

export const someMove = fc.record({ kind: fc.nat(NAMES.length - 1), one: fc.nat(60), two: fc.nat(60) });
