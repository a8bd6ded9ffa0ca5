import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EditorStore } from "./editor-store.ts";
import { LONGEST_MS, REST_MS, type TypedChange } from "./pending-text.ts";

const text = (field: string, value: string): TypedChange => ({
  key: field,
  label: `Type ${field}`,
  edit: (document) => ({ ...document, [field]: value }),
});

describe("a text that is being typed", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is shown at once, reaches the document when the keys rest, and is said to wait with its first key", () => {
    const store = new EditorStore({ other: 1 });
    const told = vi.fn();
    store.subscribe(told);
    store.type(text("a", "h"));
    expect([store.typed, store.isTyping(), told.mock.calls.length]).toEqual([{ other: 1, a: "h" }, true, 1]);
    // The same object until something changes: fields are drawn anew when it does.
    expect(store.typed).toBe(store.typed);
    vi.advanceTimersByTime(REST_MS - 1);
    store.type(text("a", "hi"));
    vi.advanceTimersByTime(REST_MS - 1);
    expect(store.document).toEqual({ other: 1 });
    vi.advanceTimersByTime(1);
    expect([store.document, store.isTyping()]).toEqual([{ other: 1, a: "hi" }, false]);
    expect(store.typed).toBe(store.document);
  });

  it("does not wait for a rest that never comes", () => {
    const store = new EditorStore({});
    for (let passed = 0; passed < LONGEST_MS; passed += 100) {
      store.type(text("a", `${passed}`));
      vi.advanceTimersByTime(100);
    }
    expect(store.document).toEqual({ a: `${LONGEST_MS - 100}` });
  });

  it("is one step of undo for a visit to the field, however often it rested", () => {
    const store = new EditorStore({});
    for (const value of ["h", "he", "hey"]) {
      store.type(text("a", value));
      vi.advanceTimersByTime(REST_MS);
    }
    store.seal();
    store.type(text("a", "hey you"));
    store.undo();
    expect(store.document).toEqual({ a: "hey" });
    store.undo();
    expect(store.document).toEqual({});
    store.redo();
    expect(store.document).toEqual({ a: "hey" });
  });

  it("is in the document before anything else is done: another field, a selection, undo, the end of a visit", () => {
    const store = new EditorStore({});
    store.type(text("a", "one"));
    store.type(text("b", "two"));
    expect([store.document, store.typed]).toEqual([{ a: "one" }, { a: "one", b: "two" }]);
    store.select(["state"]);
    expect(store.document).toEqual({ a: "one", b: "two" });
    store.type(text("c", "three"));
    store.seal();
    expect(store.document).toEqual({ a: "one", b: "two", c: "three" });
    store.type(text("c", "four"));
    store.undo();
    expect([store.document, store.getState().notice?.text]).toEqual([
      { a: "one", b: "two", c: "three" },
      "Undone: Type c",
    ]);
  });

  it("is not lost to a gesture that was made of the document without it", () => {
    const store = new EditorStore({ kept: true });
    store.type(text("a", "typed"));
    store.apply("Add", { document: { ...store.document, added: true } });
    expect(store.document).toEqual({ kept: true, added: true, a: "typed" });
    store.undo();
    expect(store.document).toEqual({ kept: true, a: "typed" });
    store.undo();
    expect(store.document).toEqual({ kept: true });
  });

  it("goes with the document it was typed into", () => {
    const store = new EditorStore({});
    store.type(text("a", "mine"));
    store.load({ theirs: true });
    vi.advanceTimersByTime(LONGEST_MS);
    expect([store.document, store.isTyping()]).toEqual([{ theirs: true }, false]);
  });
});
