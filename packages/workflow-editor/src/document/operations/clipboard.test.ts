import type { JsonObject } from "@oven/contract";
import { getAt, indexStates } from "@oven/scope";
import { describe, expect, it } from "vitest";
import { isRefused } from "../edit.ts";
import {
  addFrame,
  addNote,
  changeFrame,
  changeNote,
  readFrames,
  readNotes,
  removeFrames,
  removeNotes,
} from "./annotations.ts";
import { copyStates, duplicateStates, holdsStates, pasteStates } from "./clipboard.ts";
import { deleteStates } from "./delete-states.ts";
import { clearPositions, readPositions, setPositions } from "./positions.ts";

const DOCUMENT: JsonObject = {
  initial: "draft",
  states: {
    draft: { invoke: { src: "agent.llm", onDone: "check" } },
    check: {
      invoke: {
        src: "core.log",
        input: { text: "{{ $.draft_output.text }} {{ $.check.x }}" },
        onDone: ["draft", "done"],
      },
    },
    done: { type: "final", outcome: "ok" },
  },
};
const PLACED = new Map([
  ["draft", { x: 100, y: 50 }],
  ["check", { x: 400, y: 60 }],
]);

function paste(document: JsonObject, text: string, container: string | null = null, at?: { x: number; y: number }) {
  const result = pasteStates(document, text, { container, at });
  if (isRefused(result)) throw new Error(result.reason);
  return result;
}

describe("the clipboard", () => {
  it("renames what is there already, keeps what the copies say of each other, and drops lines to others", () => {
    const { document, select } = paste(DOCUMENT, copyStates(DOCUMENT, ["draft", "check"], PLACED));
    expect(select).toEqual(["draft_2", "check_2"]);
    expect(getAt(document, ["states", "draft_2"])).toEqual({ invoke: { src: "agent.llm", onDone: "check_2" } });
    expect(getAt(document, ["states", "check_2", "invoke"])).toEqual({
      src: "core.log",
      input: { text: "{{ $.draft_2_output.text }} {{ $.check_2.x }}" },
      onDone: ["draft_2"],
    });
    expect(readPositions(document).get("check_2")).toEqual({ x: 440, y: 100 });
    expect(document.initial).toBe("draft");
  });

  it("works between workflows, at the pointer, and begins an empty one", () => {
    const text = copyStates(DOCUMENT, ["draft", "check"], PLACED);
    const { document } = paste({ states: {} }, text, null, { x: 0, y: 0 });
    expect([document.initial, Object.keys(document.states as object)]).toEqual(["draft", ["draft", "check"]]);
    expect([...readPositions(document)]).toEqual([
      ["draft", { x: 0, y: 0 }],
      ["check", { x: 300, y: 10 }],
    ]);
  });

  it("takes a whole definition or a map of states from plain text, and nothing else", () => {
    expect(holdsStates(JSON.stringify(DOCUMENT))).toBe(true);
    expect(holdsStates('{"one": {"invoke": {"src": "core.log"}}}')).toBe(true);
    expect(holdsStates('{"later": {"after": {"PT1H": "one"}}}')).toBe(true);
    for (const text of ["hello", "[]", "{}", '{"a": 1}', "null", '{"a": {"b": 1}}'])
      expect(holdsStates(text)).toBe(false);
    const refused = pasteStates(DOCUMENT, "hello", { container: null });
    expect(isRefused(refused) && refused.reason).toMatch(/no states/);
  });

  it("leaves an outcome at the top and history in groups", () => {
    const group: JsonObject = {
      initial: "g",
      states: { g: { initial: "i", states: { i: {}, h: { type: "history" } } } },
    };
    const { document } = paste(group, copyStates(DOCUMENT, ["done"], PLACED), "g");
    expect(getAt(document, ["states", "g", "states", "done"])).toEqual({ type: "final" });
    const history = pasteStates(DOCUMENT, copyStates(group, ["h"], new Map()), { container: null });
    expect(isRefused(history)).toBe(true);
  });

  it("duplicates in the same container, with inner states under names of their own", () => {
    const document: JsonObject = {
      initial: "g",
      states: { g: { initial: "i", states: { i: { always: "j" }, j: {} } } },
    };
    const result = duplicateStates(document, ["g"], new Map());
    if (isRefused(result)) throw new Error(result.reason);
    expect(indexStates(result.document).list.map(({ id }) => id)).toEqual(["g", "i", "j", "g_2", "i_2", "j_2"]);
    expect(getAt(result.document, ["states", "g_2"])).toEqual({
      initial: "i_2",
      states: { i_2: { always: "j_2" }, j_2: {} },
    });
  });
});

describe("what stands beside the states", () => {
  it("is kept in meta and leaves nothing behind", () => {
    const { document, id } = addNote(DOCUMENT, { x: 1.4, y: 2 }, "look");
    expect(readNotes(changeNote(document, id, { text: "there" }))).toEqual([
      { id: "note1", text: "there", x: 1, y: 2, width: 220, height: 110 },
    ]);
    expect(removeNotes(document, new Set([id]))).toEqual(DOCUMENT);
    const framed = addFrame(DOCUMENT, ["draft", "check"], "Writing");
    expect(readFrames(framed.document)).toEqual([{ id: "frame1", title: "Writing", members: ["draft", "check"] }]);
    expect(readFrames(changeFrame(framed.document, "frame1", { title: "Done" }))[0]?.title).toBe("Done");
    expect(removeFrames(framed.document, new Set([framed.id]))).toEqual(DOCUMENT);
    expect(readFrames(addFrame(framed.document, ["check"], "Other").document).map(({ members }) => members)).toEqual([
      ["draft"],
      ["check"],
    ]);
  });

  it("goes with the states it belongs to", () => {
    const framed = addFrame(setPositions(DOCUMENT, PLACED), ["check"]).document;
    const left = deleteStates(framed, ["check"]).document;
    expect([readFrames(left), [...readPositions(left).keys()]]).toEqual([[], ["draft"]]);
  });

  it("keeps what other editors wrote at a position", () => {
    const document: JsonObject = {
      ...DOCUMENT,
      meta: { tool: 1, positions: { draft: { x: 1, y: 1, colour: "red" } } },
    };
    const moved = setPositions(document, [["draft", { x: 5, y: 6 }]]);
    expect(getAt(moved, ["meta", "positions", "draft"])).toEqual({ x: 5, y: 6, colour: "red" });
    expect(clearPositions(moved).meta).toEqual({ tool: 1 });
    expect(clearPositions(setPositions(DOCUMENT, PLACED))).toEqual(DOCUMENT);
  });
});
