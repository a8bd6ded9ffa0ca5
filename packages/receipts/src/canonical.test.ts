import { contentHash, hashJson } from "@oven/engine";
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonical, definitionHash, type Json, sha256 } from "./canonical.ts";

const KEYS = ["meta", "input", "params", "states", "on", "after", "bodyStates", "label", "__proto__", "ä", "\u{1f600}"];
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -1.5, 1e21, "", "text", "\u2028"),
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.array(fc.tuple(fc.constantFrom(...KEYS), tie("tree")), { maxLength: 4 }).map(Object.fromEntries),
  ),
}));
const objects = fc.array(fc.tuple(fc.constantFrom(...KEYS), tree), { maxLength: 4 }).map(Object.fromEntries);

it("hashes JSON as the engine does", () => {
  fc.assert(
    fc.property(tree, (value) => {
      expect(sha256(canonical(value as Json))).toBe(hashJson(value as Json));
    }),
  );
});

it("hashes definitions as the engine does, without what only says how they are drawn", () => {
  fc.assert(
    fc.property(objects, (value) => {
      expect(definitionHash(value)).toBe(contentHash(value));
    }),
    { numRuns: 1_000 },
  );
  const drawn = {
    ...{ initial: "a", meta: { x: 1 } },
    states: { a: { type: "final", meta: { y: 2 } }, meta: { type: "final" } },
  };
  const plain = { initial: "a", states: { a: { type: "final" }, meta: { type: "final" } } };
  expect(definitionHash(drawn)).toBe(definitionHash(plain));
  expect(definitionHash({ ...plain, initial: "meta" })).not.toBe(definitionHash(plain));
});
