import type { JsonObject } from "@oven/contract";
import { findState, transitionsOf } from "@oven/scope";
import { describe, expect, it } from "vitest";
import { isRefused } from "../document/edit.ts";
import type { PaletteItem } from "../document/new-states.ts";
import { deleteStates } from "../document/operations/delete-states.ts";
import { renameState } from "../document/operations/rename-state.ts";
import { addBehind, type Drawn } from "../editor/gestures.ts";
import { toGraph } from "../graph/to-graph.ts";
import { outletOfBranch } from "./branches.ts";
import { canBeUndone, setUndo, undoStepsFor } from "./undo-steps.ts";
import { variablesAt } from "./variables.ts";

const step = (onDone: string, more: JsonObject = {}): JsonObject => ({ invoke: { src: "core.http", onDone }, ...more });
const orders: JsonObject = {
  initial: "charge",
  states: {
    charge: step("each", { undo: "refund" }),
    each: {
      loop: {
        ...{ type: "forEach", collection: "$.trigger.lines", bodyInitial: "ship", onDone: "done" },
        bodyStates: { ship: step("shipped"), shipped: { type: "final" } },
      },
    },
    done: { type: "final", output: "$.charge_output" },
    refund: step("undone"),
    undone: { type: "final" },
  },
};

function placeOf(document: JsonObject, id: string) {
  const place = findState(document, id);
  if (place === undefined) throw new Error(`There is no state ${id}`);
  return place;
}

/** As the palette does from "New step…" of the inspector. */
function added(document: JsonObject, stateId: string): JsonObject {
  const model = toGraph(document);
  const drawn: Drawn = { document, model, full: model, placement: new Map() };
  const outlet = outletOfBranch(document, { stateId, at: ["undo"], index: 0 });
  const about = { id: "core.http", title: "HTTP", docs: "", synonyms: [], group: "Flow" };
  const item: PaletteItem = {
    ...about,
    kind: "flow",
    look: null,
    make: () => ({ wish: "core.http", state: { invoke: { src: "core.http" } } }),
  };
  const edit = addBehind(drawn, item, stateId, outlet);
  if (isRefused(edit)) throw new Error(edit.reason);
  return edit.document;
}

describe("what undoes a step", () => {
  it("is another step at the top level that calls something", () => {
    expect(undoStepsFor(orders, placeOf(orders, "charge"))).toEqual(["each", "refund"]);
    expect(["charge", "each", "ship", "done"].map((id) => canBeUndone(orders, placeOf(orders, id)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(canBeUndone({ ...orders, type: "parallel" }, placeOf(orders, "charge"))).toBe(false);
  });

  it("is a line of its own in the graph, named and last", () => {
    const { nodes, edges } = toGraph(orders, undefined, { offer: true });
    expect(edges).toContainEqual(
      expect.objectContaining({ source: "charge", target: "refund", tone: "undo", label: "undo" }),
    );
    expect(nodes.find(({ id }) => id === "charge")?.handles.at(-1)).toMatchObject({ tone: "undo" });
    expect(nodes.find(({ id }) => id === "ship")?.handles.map(({ tone }) => tone)).not.toContain("undo");
  });

  it("is chosen, renamed with its step, and gone with it", () => {
    const chosen = setUndo(orders, "ship", "refund");
    expect(placeOf(chosen, "ship").state.undo).toBe("refund");
    expect(setUndo(chosen, "ship", null)).toEqual(orders);
    const renamed = renameState(chosen, "refund", "pay_back");
    if (isRefused(renamed)) throw new Error(renamed.reason);
    expect(["charge", "ship"].map((id) => placeOf(renamed.document, id).state.undo)).toEqual(["pay_back", "pay_back"]);
    const deleted = deleteStates(chosen, ["refund"]);
    expect(["charge", "ship"].map((id) => placeOf(deleted.document, id).state.undo)).toEqual([undefined, undefined]);
  });

  it("is made at the top level, and leads to an end without a result", () => {
    const made = added(orders, "ship");
    const undo = String(placeOf(made, "ship").state.undo);
    expect(placeOf(made, undo).parent).toBeUndefined();
    expect(transitionsOf(placeOf(made, undo)).map(({ target }) => target)).toEqual(["undone"]);
    const first: JsonObject = {
      initial: "charge",
      states: { charge: step("done"), done: { type: "final", output: 1 } },
    };
    const withEnd = added(first, "charge");
    expect(Object.keys(withEnd.states as JsonObject)).toEqual(["charge", "done", "undone", "http"]);
  });

  it("reads the step that it undoes", () => {
    const paths = variablesAt(setUndo(orders, "charge", "refund"), "refund", undefined).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["$.undo", "$.undo.output", "$.undo.error", "$.charge_output"]));
    expect(variablesAt(orders, "ship", undefined).map(({ path }) => path)).not.toContain("$.undo");
  });
});
