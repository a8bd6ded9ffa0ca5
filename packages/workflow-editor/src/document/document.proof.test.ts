import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { DefinitionSchema } from "@oven/contract/workflow";
import { validateDefinition } from "@oven/engine";
import { generatedDefinitions, simulatedCatalog } from "@oven/engine/testing";
import { findState, getAt, indexStates, isContainer, listTransitions, removeAt, WORKFLOW } from "@oven/scope";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collapse } from "../graph/collapse.ts";
import { toGraph } from "../graph/to-graph.ts";
import { canConnect } from "./can-connect.ts";
import { type Edit, isRefused, type Refusal } from "./edit.ts";
import { commit, redo, startHistory, undo } from "./history.ts";
import { addOutcome } from "./operations/add-outcome.ts";
import { addState, insertOnTransition } from "./operations/add-state.ts";
import { addFrame, addNote } from "./operations/annotations.ts";
import { setCollapsed, setDirection } from "./operations/canvas-view.ts";
import { copyStates, duplicateStates, pasteStates } from "./operations/clipboard.ts";
import { connect, type Outlet, reconnectTarget, setInitial } from "./operations/connect.ts";
import { deleteStates } from "./operations/delete-states.ts";
import { extractStates } from "./operations/extract-states.ts";
import { moveStates } from "./operations/move-states.ts";
import { clearPositions, setPositions } from "./operations/positions.ts";
import { renameState } from "./operations/rename-state.ts";
import { toggleDisabled } from "./operations/set-disabled.ts";
import { unwrapState, wrapStates } from "./operations/wrap-states.ts";
import { removeTransition } from "./transitions.ts";

const catalog = simulatedCatalog();

/** Every state and every transition carries something no editor knows. */
function marked(definition: JsonObject): JsonObject {
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

function freeze<Value extends Json>(value: Value): Value {
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

const shapeOf = (document: JsonObject): boolean => DefinitionSchema.safeParse(withoutExtensions(document)).success;

interface Move {
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
const NAMES = Object.keys(GESTURES);

function apply(document: JsonObject, { kind, one, two }: Move): { name: string; result: Edit | Refusal } {
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

const moves = fc.array(fc.record({ kind: fc.nat(NAMES.length - 1), one: fc.nat(60), two: fc.nat(60) }), {
  maxLength: 14,
});

describe("a definition in the editor", () => {
  it("is drawn without being changed, and drawn the same from what came back", () => {
    fc.assert(
      fc.property(generatedDefinitions, (definition) => {
        const document = marked(definition);
        const text = JSON.stringify(document);
        const drawn = toGraph(document, undefined, { offer: true });
        const placed = setPositions(
          document,
          drawn.nodes.map(({ id }, index) => [id, { x: index, y: 0 }] as const),
        );
        expect(JSON.stringify(clearPositions(placed))).toBe(JSON.stringify(clearPositions(document)));
        expect(JSON.stringify(document)).toBe(text);
        expect(toGraph(JSON.parse(text), undefined, { offer: true })).toEqual(drawn);
      }),
      { numRuns: 150 },
    );
  });

  it("shows each of its transitions, by a line or by a named row", () => {
    let lines = 0;
    let rows = 0;
    fc.assert(
      fc.property(generatedDefinitions, fc.nat(60), (generated, at) => {
        const ids = indexStates(generated).list.map(({ id }) => id);
        // One that the definition handles itself, and one that leads nowhere but acts.
        const definition: JsonObject = {
          ...generated,
          on: { stop: { actions: [{ type: "log", params: { message: "x" } }] }, go: ids[at % ids.length] ?? "" },
        };
        const { nodes, edges } = toGraph(definition, undefined, { offer: true });
        for (const transition of listTransitions(definition)) {
          const handles = nodes.flatMap((node) =>
            node.handles
              .filter(({ outlet }) => outlet.transition?.address.join() === transition.address.join())
              .map((handle) => ({ node, handle })),
          );
          expect(handles.length).toBe(1);
          const [{ node, handle } = { node: undefined, handle: undefined }] = handles;
          if (transition.target === null) {
            rows += 1;
            expect(handle?.label).not.toBe("");
          } else {
            lines += 1;
            const drawn = edges.filter(
              ({ source, sourceHandle }) => source === node?.id && sourceHandle === handle?.id,
            );
            expect(drawn.map(({ target }) => target)).toEqual([transition.target]);
          }
        }
      }),
      { numRuns: 150 },
    );
    expect([lines > 300, rows > 100]).toEqual([true, true]);
  });

  it("keeps every line that crosses the border of a folded container, from the same transition", () => {
    let kept = 0;
    fc.assert(
      fc.property(generatedDefinitions, fc.array(fc.nat(60), { maxLength: 3 }), (definition, picks) => {
        const containers = indexStates(definition).list.filter(isContainer);
        const folded = new Set(picks.flatMap((at) => containers[at % Math.max(1, containers.length)]?.id ?? []));
        const model = toGraph(definition, undefined, { offer: true });
        const after = collapse(model, folded);
        const parents = new Map(model.nodes.map(({ id, parentId }) => [id, parentId]));
        const shownAs = (id: string): string => {
          let shown = id;
          for (let up = parents.get(id) ?? null; up !== null; up = parents.get(up) ?? null)
            if (folded.has(up)) shown = up;
          return shown;
        };
        const drawn = new Map(after.nodes.map((node) => [node.id, node]));
        expect([...drawn.keys()].sort()).toEqual([...new Set(model.nodes.map(({ id }) => shownAs(id)))].sort());
        for (const edge of model.edges) {
          const [source, target] = [shownAs(edge.source), shownAs(edge.target)];
          const now = after.edges.find(({ id }) => id === edge.id);
          const inside = source === target && (source !== edge.source || target !== edge.target);
          expect(now === undefined).toBe(inside);
          if (now === undefined) continue;
          kept += 1;
          expect([now.source, now.target]).toEqual([source, target]);
          const before = model.nodes.find(({ id }) => id === edge.source)?.handles;
          const handle = drawn.get(now.source)?.handles.find(({ id }) => id === now.sourceHandle);
          expect(handle?.outlet).toEqual(before?.find(({ id }) => id === edge.sourceHandle)?.outlet);
        }
        for (const id of folded)
          if (drawn.has(id))
            expect(drawn.get(id)?.inside).toHaveLength(
              [...parents.keys()].filter((one) => one !== id && shownAs(one) === id).length,
            );
      }),
      { numRuns: 150 },
    );
    expect(kept).toBeGreaterThan(300);
  });

  it("keeps its shape and what no editor knows through any gestures, and undo brings it back as it was", () => {
    const done = new Map<string, number>();
    fc.assert(
      fc.property(generatedDefinitions, moves, (definition, list) => {
        const original = marked(definition);
        const text = JSON.stringify(original);
        let history = startHistory(original);
        for (const move of list) {
          const before = history.present;
          const { name, result } = apply(before, move);
          if (isRefused(result)) {
            expect(result.reason).not.toBe("");
            continue;
          }
          const after = freeze(result.document);
          done.set(name, (done.get(name) ?? 0) + 1);
          expect(shapeOf(after), `${name} broke the shape`).toBe(true);
          expect(after["x-root"]).toEqual(original["x-root"]);
          const left = new Map(indexStates(after).list.map(({ state }) => [state["x-id"], state]));
          const goes = new Set(
            ["delete", "unwrap", "extract"].includes(name)
              ? indexStates(before)
                  .list.map(({ state }) => state["x-id"])
                  .filter((id) => !left.has(id))
              : [],
          );
          for (const place of indexStates(before).list) {
            const mark = place.state["x-id"];
            if (mark !== undefined && !goes.has(mark)) expect(left.has(mark), `${name} lost ${place.id}`).toBe(true);
          }
          if (name === "delete" && indexStates(before).list.length > 0)
            expect(indexStates(after).list.length).toBeLessThan(indexStates(before).list.length);
          const { nodes, edges } = toGraph(after, undefined, { offer: true });
          const drawn = new Set(nodes.map(({ id }) => id));
          for (const { source, target } of edges) expect([drawn.has(source), drawn.has(target)]).toEqual([true, true]);
          for (const { parentId } of nodes) expect(parentId === null || drawn.has(parentId)).toBe(true);
          history = commit(history, after, name);
        }
        const last = JSON.stringify(history.present);
        const steps = history.past.length;
        for (let step = 0; step < steps; step += 1) history = undo(history);
        expect(JSON.stringify(history.present)).toBe(text);
        for (let step = 0; step < steps; step += 1) history = redo(history);
        expect(JSON.stringify(history.present)).toBe(last);
      }),
      { numRuns: 250 },
    );
    // Each gesture was really made, not only refused.
    expect(NAMES.filter((name) => (done.get(name) ?? 0) < 5)).toEqual([]);
  });

  it("stays valid when a state is renamed", () => {
    fc.assert(
      fc.property(generatedDefinitions, fc.nat(60), (definition, at) => {
        const ids = indexStates(definition).list.map(({ id }) => id);
        const result = renameState(definition, ids[at % ids.length] ?? "", "another-name");
        if (isRefused(result)) throw new Error(result.reason);
        const errors = (json: JsonObject) =>
          validateDefinition(json, catalog).problems.filter(({ severity }) => severity === "error");
        expect(errors(definition)).toEqual([]);
        expect(errors(result.document)).toEqual([]);
        expect(JSON.stringify(result.document)).not.toContain(`"${ids[at % ids.length]}_output`);
      }),
      { numRuns: 150 },
    );
  });

  it("may be connected exactly where the engine lets a transition lead", () => {
    const borders = new Set(["loop-border", "sibling-region", "target"]);
    let refused = 0;
    fc.assert(
      fc.property(generatedDefinitions, fc.nat(60), fc.nat(60), (definition, one, two) => {
        const places = indexStates(definition).list;
        const from = places[one % places.length];
        const to = places[two % places.length];
        if (from === undefined || to === undefined || from.state.type === "final" || from.state.type === "history")
          return;
        const tried = JSON.parse(JSON.stringify(definition));
        const holder = getAt(tried, from.address);
        if (isObject(holder)) holder.on = { ...(isObject(holder.on) ? holder.on : {}), TRIED: to.id };
        const broken = validateDefinition(tried, catalog).problems.some(
          ({ rule, path }) => borders.has(rule) && path.endsWith("TRIED"),
        );
        if (broken) refused += 1;
        expect(canConnect(definition, from.id, to.id).ok).toBe(!broken);
      }),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(3);
  });
});
