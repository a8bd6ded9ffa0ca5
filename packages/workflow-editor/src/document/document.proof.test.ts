import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { validateDefinition } from "@oven/engine";
import { generatedDefinitions, simulatedCatalog } from "@oven/engine/testing";
import { getAt, indexStates, isContainer, listTransitions } from "@oven/scope";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collapse } from "../graph/collapse.ts";
import { toGraph } from "../graph/to-graph.ts";
import { canConnect } from "./can-connect.ts";
import { isRefused } from "./edit.ts";
import { commit, redo, startHistory, undo } from "./history.ts";
import { clearPositions, setPositions } from "./operations/positions.ts";
import { renameState } from "./operations/rename-state.ts";
import { freeze, makeGesture, marked, NAMES, shapeOf, someMove } from "./testing/random-gestures.ts";

const catalog = simulatedCatalog();

const moves = fc.array(someMove, { maxLength: 14 });

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
          const { name, result } = makeGesture(before, move);
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
