import { describe, expect, it } from "vitest";
import { EditorStore } from "./editor-store.ts";

describe("the editor's store", () => {
  it("does a gesture, selects what it made, and says why one was refused", () => {
    const store = new EditorStore({ states: {} });
    let told = 0;
    store.subscribe(() => (told += 1));
    expect(store.apply("Add", { document: { states: { a: {} } }, select: ["a"] })).toBe(true);
    expect([...store.getState().selection.nodes]).toEqual(["a"]);
    expect(store.apply("Connect", { reason: "no way" })).toBe(false);
    expect(store.getState().notice).toEqual({ text: "no way", refused: true });
    expect(store.document).toEqual({ states: { a: {} } });
    expect(told).toBe(2);
  });

  it("undoes what was done, not what was selected, and says what it was", () => {
    const store = new EditorStore({ n: 0 });
    store.apply("Count", { document: { n: 1 } });
    store.select(["a"]);
    store.select(["b"], ["line"]);
    store.undo();
    expect(store.document).toEqual({ n: 0 });
    expect(store.getState().notice?.text).toBe("Undone: Count");
    expect([...store.getState().selection.nodes]).toEqual(["b"]);
    store.redo();
    expect(store.document).toEqual({ n: 1 });
  });

  it("tells nobody when the same is selected again", () => {
    const store = new EditorStore({});
    store.select(["a"], ["b"]);
    let told = 0;
    store.subscribe(() => (told += 1));
    store.select(new Set(["a"]), ["b"]);
    expect(told).toBe(0);
    store.select(["a"]);
    expect(told).toBe(1);
  });

  it("ends a gesture when asked", () => {
    const store = new EditorStore({ n: 0 });
    for (const n of [1, 2]) store.apply("Type", { document: { n } }, "field");
    store.seal();
    store.apply("Type", { document: { n: 3 } }, "field");
    store.undo();
    expect(store.document).toEqual({ n: 2 });
    store.undo();
    expect(store.document).toEqual({ n: 0 });
  });

  it("begins anew with another document", () => {
    const store = new EditorStore({ n: 0 });
    store.apply("Count", { document: { n: 1 } });
    store.load({ n: 9 });
    store.undo();
    expect(store.document).toEqual({ n: 9 });
  });
});
