import type { JsonObject } from "@oven/contract";
import { generatedDefinitions } from "@oven/engine/testing";
import { indexStates } from "@oven/scope";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRefused } from "../document/edit.ts";
import { MAX_STEPS } from "../document/history.ts";
import { DELETE, makeGesture, shapeOf, someMove } from "../document/testing/random-gestures.ts";
import { EditorStore } from "./editor-store.ts";

/* `pnpm editor:walks` makes longer walks, and more of them. */
const GESTURES = Number(process.env.OVEN_WALK_GESTURES ?? 60);
const WALKS = Number(process.env.OVEN_WALKS ?? 25);
/** More states than a person draws make each gesture slow, and show nothing new. */
const LARGE = 60;

const steps = fc.array(fc.record({ act: fc.nat(9), move: someMove }), {
  minLength: GESTURES,
  maxLength: GESTURES,
  size: "max",
});

/** What a person would see: the document, and those that undo and redo lead to. */
class Expected {
  readonly past: string[] = [];
  readonly future: string[] = [];
  present: string;

  constructor(document: JsonObject) {
    this.present = JSON.stringify(document);
  }

  change(document: JsonObject): void {
    const now = JSON.stringify(document);
    this.past.push(this.present);
    if (this.past.length > MAX_STEPS) this.past.shift();
    this.future.length = 0;
    this.present = now;
  }

  undo(): void {
    const before = this.past.pop();
    if (before === undefined) return;
    this.future.push(this.present);
    this.present = before;
  }

  redo(): void {
    const after = this.future.pop();
    if (after === undefined) return;
    this.past.push(this.present);
    this.present = after;
  }
}

/** Types two letters into a field of its own, which the next act takes over first. */
function type(store: EditorStore, at: number): void {
  for (const text of ["a", "ab"])
    store.type({
      key: `field ${at}`,
      label: "Type",
      edit: (document) => ({ ...document, description: `${text} ${at}` }),
    });
}

describe("a walk of gestures, typing, undo and redo in the editor", () => {
  it("shows what it showed before each gesture, and ends in the document that it began with", () => {
    let gestures = 0;
    let undone = 0;
    fc.assert(
      fc.property(generatedDefinitions, steps, (definition, list) => {
        const store = new EditorStore(definition);
        const expected = new Expected(definition);
        for (const [at, { act, move }] of list.entries()) {
          if (act < 2) {
            store.undo();
            expected.undo();
            undone += 1;
          } else if (act === 2) {
            store.redo();
            expected.redo();
          } else if (act === 3) {
            type(store, at);
            store.seal();
            expected.change(store.document);
          } else {
            const large = indexStates(store.document).list.length > LARGE;
            const before = store.document;
            const { name, result } = makeGesture(before, large ? { ...move, kind: DELETE } : move);
            // A gesture that is made while a text waits takes the text over as a step of its own.
            if (act === 4) type(store, at);
            const isDone = store.apply(name, result);
            if (isDone === isRefused(result)) throw new Error(`${name} was ${isDone ? "made" : "refused"}`);
            if (act === 4) {
              store.flush();
              const typed: JsonObject = { ...before, description: `ab ${at}` };
              expected.change(typed);
            }
            if (isDone && store.document !== before) {
              gestures += 1;
              expected.change(store.document);
            }
            expect(shapeOf(store.document), `${name} broke the shape`).toBe(true);
          }
          expect(JSON.stringify(store.document)).toBe(expected.present);
        }
        const last = expected.present;
        const back = expected.past.length;
        for (let step = 0; step < back; step += 1) {
          store.undo();
          expected.undo();
          expect(JSON.stringify(store.document)).toBe(expected.present);
        }
        expect(store.getState().history.past).toEqual([]);
        for (let step = 0; step < back; step += 1) store.redo();
        expect(JSON.stringify(store.document)).toBe(last);
      }),
      { numRuns: WALKS, endOnFailure: true },
    );
    // Most of them were made, not refused.
    expect(gestures).toBeGreaterThan((WALKS * GESTURES) / 4);
    expect(undone).toBeGreaterThan(0);
  });
});
