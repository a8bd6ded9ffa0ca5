import type { Json, JsonObject } from "@oven/contract";
import { removeAt, setAt } from "@oven/scope";
import { describe, expect, it } from "vitest";
import { commit, type History, redo, startHistory, undo } from "../document/history.ts";
import { changedStates, foldDraft, toFoldLabel } from "./fold-draft.ts";

const note = (message: string, next: string): JsonObject => ({
  label: message,
  invoke: { src: "core.log", input: { message }, onDone: [{ target: next }] },
});
const BASE: JsonObject = {
  initial: "ask",
  states: { ask: note("Ask", "answer"), answer: note("Answer", "done"), done: { type: "final" } },
};
const withState = (document: JsonObject, id: string, state: Json): JsonObject => setAt(document, ["states", id], state);

describe("a newer draft that is folded into the canvas", () => {
  it("takes its place when nothing was changed here", () => {
    const theirs = withState(BASE, "check", note("Check", "done"));
    expect(foldDraft(BASE, BASE, theirs)).toEqual(theirs);
  });

  it("is joined with what was drawn here meanwhile, also with cards that were moved", () => {
    const theirs = withState(withState(BASE, "check", note("Check", "done")), "answer", note("Answer", "check"));
    const mine = setAt(withState(BASE, "ask", note("Ask twice", "answer")), ["meta", "positions"], {
      ask: { x: 40, y: 40 },
    });
    expect(foldDraft(BASE, mine, theirs)).toEqual({
      initial: "ask",
      states: {
        ask: note("Ask twice", "answer"),
        answer: note("Answer", "check"),
        done: { type: "final" },
        check: note("Check", "done"),
      },
      meta: { positions: { ask: { x: 40, y: 40 } } },
    });
  });

  it("asks where both changed the same field, or one changed what the other removed", () => {
    const message = ["states", "ask", "invoke", "input", "message"];
    expect(foldDraft(BASE, setAt(BASE, message, "mine"), setAt(BASE, message, "theirs"))).toBeNull();
    expect(foldDraft(BASE, removeAt(BASE, ["states", "ask"]), setAt(BASE, message, "theirs"))).toBeNull();
  });

  it("does not ask where both placed cards: those of this canvas stay", () => {
    const mine = setAt(BASE, ["meta", "positions"], { ask: { x: 1, y: 1 } });
    const theirs = setAt(BASE, ["meta", "positions"], { ask: { x: 2, y: 2 }, answer: { x: 3, y: 3 } });
    expect(foldDraft(BASE, mine, theirs)?.meta).toEqual({
      positions: { ask: { x: 1, y: 1 }, answer: { x: 3, y: 3 } },
    });
    const notes = (text: string): JsonObject => setAt(BASE, ["meta", "notes"], { first: { text } });
    expect(foldDraft(notes("a"), notes("mine"), notes("theirs"))).toBeNull();
  });

  it("is one step of undo each, with the steps of the person in between", () => {
    const step = (history: History<JsonObject>, theirs: JsonObject, base: JsonObject): History<JsonObject> => {
      const folded = foldDraft(base, history.present, theirs);
      if (folded === null) throw new Error("in conflict");
      return commit(history, folded, toFoldLabel(history.present, folded, "assistant"));
    };
    const one = withState(BASE, "check", note("Check", "done"));
    let history = step(startHistory(BASE), one, BASE);
    history = commit(history, withState(history.present, "mine", note("Mine", "done")), "Add Mine");
    history = step(history, withState(one, "route", note("Route", "done")), one);
    expect(history.past.map(({ label }) => label)).toEqual([
      "Assistant: add Check",
      "Add Mine",
      "Assistant: add Route",
    ]);
    const newest = history.present;
    expect(Object.keys(newest.states as JsonObject)).toEqual(["ask", "answer", "done", "check", "mine", "route"]); // cast: it is an object above
    for (let steps = 0; steps < 3; steps += 1) history = undo(history);
    expect(history.present).toBe(BASE);
    for (let steps = 0; steps < 3; steps += 1) history = redo(history);
    expect(history.present).toBe(newest);
  });
});

describe("what a folded draft is called", () => {
  it.each([
    ["what was added", withState(BASE, "check", note("Check", "done")), "Assistant: add Check"],
    ["what was removed", removeAt(BASE, ["states", "answer"]), "Assistant: remove Answer"],
    ["what was changed", withState(BASE, "ask", note("Ask", "done")), "Assistant: change Ask"],
    ["that it is about settings", { ...BASE, maxTokens: 10 }, "Assistant: change the settings"],
    [
      "how many there are",
      ["a", "b", "c", "d", "e"].reduce((document, id) => withState(document, id, note(id, "done")), BASE),
      "Assistant: add a, b, c and 2 more",
    ],
  ])("says %s", (_, after, label) => {
    expect(toFoldLabel(BASE, after, "assistant")).toBe(label);
    expect(toFoldLabel(BASE, after, "other")).toBe(label.replace("Assistant", "Another editor"));
  });

  it("marks the states that are new or different", () => {
    const after = withState(
      withState(removeAt(BASE, ["states", "answer"]), "ask", note("Ask", "check")),
      "check",
      note("Check", "done"),
    );
    expect([...changedStates(BASE, after)]).toEqual([
      ["ask", "changed"],
      ["check", "added"],
    ]);
  });
});
