import type { Json, JsonObject } from "@oven/contract";
import { removeAt, setAt } from "@oven/scope";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeDefinitions, takeSide } from "./merge-definitions.ts";

const STATES = ["a", "b", "c", "d", "e", "f"];

const base: JsonObject = {
  initial: "a",
  states: Object.fromEntries(
    STATES.map((id): [string, Json] => [
      id,
      { label: id, invoke: { src: "core.log", input: { message: id, level: "info" }, onDone: [{ target: "f" }] } },
    ]),
  ),
};

/** A change of one state, which may go or be new. */
interface Change {
  kind: "message" | "branches" | "label" | "gone" | "new";
  text: string;
}
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom("message", "branches", "label", "gone", "new"),
  text: fc.string({ maxLength: 5 }),
});

function apply(document: JsonObject, id: string, { kind, text }: Change): JsonObject {
  const at = ["states", id];
  if (kind === "gone") return removeAt(document, at);
  if (kind === "new") return setAt(document, ["states", `${id}_new`], { label: text });
  if (kind === "label") return setAt(document, [...at, "label"], text);
  if (kind === "message") return setAt(document, [...at, "invoke", "input", "message"], text);
  return setAt(document, [...at, "invoke", "onDone"], [{ target: text }, { target: "f" }]);
}

describe("a merge of two changes", () => {
  it("is both of them, when they touch different states", () => {
    const sides = fc.array(fc.tuple(fc.constantFrom(...STATES), fc.boolean(), change), { maxLength: 6 });
    fc.assert(
      fc.property(sides, (steps) => {
        const owner = new Map<string, boolean>();
        let [mine, theirs, both] = [base, base, base];
        for (const [id, isMine, step] of steps) {
          // The first to touch a state is the only one to.
          if ((owner.get(id) ?? isMine) !== isMine) continue;
          owner.set(id, isMine);
          if (isMine) mine = apply(mine, id, step);
          else theirs = apply(theirs, id, step);
          both = apply(both, id, step);
        }
        expect(mergeDefinitions(base, mine, theirs)).toEqual({ document: both, conflicts: [] });
        expect(mergeDefinitions(base, theirs, mine)).toEqual({ document: both, conflicts: [] });
      }),
    );
  });

  it("is the one side, when the other did nothing or the same", () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATES), change, (id, step) => {
        const changed = apply(base, id, step);
        for (const [mine, theirs] of [
          [changed, base],
          [base, changed],
          [changed, structuredClone(changed)],
        ] as const)
          expect(mergeDefinitions(base, mine, theirs)).toEqual({ document: changed, conflicts: [] });
      }),
    );
  });

  it("takes a list that one side put into another order, or only made longer", () => {
    const listed = (list: Json): JsonObject => setAt(base, ["states", "a", "invoke", "input", "list"], list);
    for (const theirs of [
      ["two", "one"],
      ["one", "two", "three"],
      ["one", { two: 2 }],
    ]) {
      const { document, conflicts } = mergeDefinitions(listed(["one", "two"]), listed(["one", "two"]), listed(theirs));
      expect(conflicts).toEqual([]);
      expect(document).toEqual(listed(theirs));
    }
  });

  it("asks about the one field both changed, and joins the rest of the state", () => {
    const message = ["states", "a", "invoke", "input", "message"];
    const mine = setAt(setAt(base, message, "mine"), ["states", "a", "label"], "A");
    const theirs = setAt(setAt(base, message, "theirs"), ["states", "a", "invoke", "input", "level"], "warn");
    const { document, conflicts } = mergeDefinitions(base, mine, theirs);
    expect(conflicts).toEqual([
      { address: message, path: "$.states.a.invoke.input.message", base: "a", mine: "mine", theirs: "theirs" },
    ]);
    const [conflict] = conflicts;
    if (conflict === undefined) throw new Error("no conflict");
    const joined = setAt(setAt(mine, ["states", "a", "invoke", "input", "level"], "warn"), message, "theirs");
    expect(takeSide(document, conflict, "theirs")).toEqual(joined);
    expect(takeSide(joined, conflict, "mine")).toEqual(document);
  });

  it("asks when one side removed what the other changed, and when both made a state of one id", () => {
    const changed = setAt(base, ["states", "b", "label"], "B");
    const gone = removeAt(base, ["states", "b"]);
    const { conflicts, document } = mergeDefinitions(base, changed, gone);
    expect(conflicts.map(({ path, theirs }) => [path, theirs])).toEqual([["$.states.b", undefined]]);
    const [conflict] = conflicts;
    if (conflict === undefined) throw new Error("no conflict");
    expect(takeSide(document, conflict, "theirs")).toEqual(gone);
    const made = (label: string) => setAt(base, ["states", "z"], { label });
    expect(mergeDefinitions(base, made("one"), made("two")).conflicts.map(({ path }) => path)).toEqual(["$.states.z"]);
  });
});
