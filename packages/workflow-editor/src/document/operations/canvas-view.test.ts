import { describe, expect, it } from "vitest";
import { containersOf, hiddenBy, readCollapsed, readDirection, setCollapsed, setDirection } from "./canvas-view.ts";
import { deleteStates } from "./delete-states.ts";
import { renameState } from "./rename-state.ts";

const NESTED = {
  initial: "outer",
  states: {
    outer: {
      initial: "inner",
      states: { inner: { initial: "a", states: { a: {} } } },
      onDone: "done",
    },
    done: { type: "final" },
  },
};

describe("how a canvas is looked at", () => {
  it("is kept in meta, and leaves nothing there when it is as usual", () => {
    const down = setDirection({ ...NESTED, meta: { positions: { done: { x: 1, y: 2 } } } }, "down");
    expect(down.meta).toEqual({ direction: "down" });
    expect([readDirection(down), readDirection(NESTED)]).toEqual(["down", "right"]);
    expect(setDirection(down, "right")).toEqual(NESTED);
    const folded = setCollapsed(NESTED, ["outer", "inner"], true);
    expect(folded.meta).toEqual({ collapsed: ["outer", "inner"] });
    expect(setCollapsed(folded, ["inner", "outer"], false)).toEqual(NESTED);
    expect(setCollapsed(NESTED, ["outer"], false)).toBe(NESTED);
  });

  it("folds containers only, and tells what hides a state from the outside in", () => {
    const folded = setCollapsed(NESTED, ["inner", "outer", "done", "gone"], true);
    expect([...readCollapsed(folded)]).toEqual(["inner", "outer"]);
    expect(hiddenBy(folded, "a")).toEqual(["outer", "inner"]);
    expect(hiddenBy(folded, "outer")).toEqual([]);
    expect(containersOf(NESTED)).toEqual(["outer", "inner"]);
  });

  it("follows a rename, and is forgotten with its container", () => {
    const folded = setCollapsed(NESTED, ["inner"], true);
    expect(renameState(folded, "inner", "core")).toMatchObject({ document: { meta: { collapsed: ["core"] } } });
    expect(deleteStates(folded, ["outer"]).document.meta).toBeUndefined();
  });
});
