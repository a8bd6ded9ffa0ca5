import type { Json } from "@oven/contract";
import fc from "fast-check";
import { cases } from "../simulation/shape.ts";
import { toDefinition } from "../simulation/to-definition.ts";
import { BASE_DEFINITIONS } from "./base-definitions.ts";
import { changed, placesOf, put, valueAt } from "./json-places.ts";
import { MUTATIONS } from "./mutations.ts";

const WORDS = ["done", "a", "$.n", "final", "parallel", "history", "{{ $.n }}", "__proto__", "PT1S", "", "#x", "*"];
const KEYS = [
  "type",
  "states",
  "initial",
  "invoke",
  "loop",
  "on",
  "after",
  "always",
  "onDone",
  "target",
  "guard",
  "$cel",
  "__proto__",
];

const anything = fc.oneof(
  fc.constantFrom<Json>(...WORDS),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>, // cast: JSON
  fc.constantFrom<Json>(null, true, 0, -1, 1e21, [], {}),
);

const edit = fc.record({
  at: fc.nat(10_000),
  what: fc.oneof(
    fc.record({ type: fc.constant("known" as const), which: fc.nat(MUTATIONS.length - 1) }),
    fc.record({ type: fc.constant("set" as const), value: anything }),
    fc.record({ type: fc.constant("add" as const), key: fc.constantFrom(...KEYS, ...WORDS), value: anything }),
    fc.record({ type: fc.constant("move" as const), to: fc.nat(10_000) }),
  ),
});

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

const base: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(...Object.values(BASE_DEFINITIONS)),
  cases.map((given): Json => toDefinition(given).definition),
  anything,
);

/** Definitions with one to five random edits; some stay valid. */
export const malformed: fc.Arbitrary<Json> = fc
  .record({ base, edits: fc.array(edit, { minLength: 1, maxLength: 5 }) })
  .map(({ base: document, edits }) => {
    // What is nested so deeply that it cannot be walked any more comes last, and once.
    const deep = edits.filter(isDeep).slice(0, 1);
    return [...edits.filter((one) => !isDeep(one)), ...deep].reduce(applyEdit, document);
  });

function isDeep({ what }: Edit): boolean {
  return what.type === "known" && MUTATIONS[what.which]?.name.includes("thousand deep") === true;
}

function applyEdit(document: Json, { at, what }: Edit): Json {
  const places = placesOf(document);
  const place = places[at % Math.max(1, places.length)];
  if (!place) return document;
  switch (what.type) {
    case "known": {
      const mutation = MUTATIONS[what.which];
      return mutation?.fits(document, place) ? mutation.apply(document, place) : document;
    }
    case "set":
      return changed(document, place, (holder, key) => put(holder, key, what.value));
    case "add":
      return changed(document, [...place, what.key], (holder, key) => put(holder, key, what.value));
    case "move": {
      const from = places[what.to % places.length];
      const moved = from ? (valueAt(document, from) ?? null) : null;
      return changed(document, place, (holder, key) => put(holder, key, moved));
    }
  }
}
