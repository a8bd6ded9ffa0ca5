import { expect, it } from "vitest";
import { findRetiredWords } from "./find-retired-words.ts";

it("names place, word and replacement, in code, comments and texts", () => {
  const text = ["const rows = new KeptRows();", "// the user may keep it", "// what he may do", "engine.poke(7);"].join(
    "\n",
  );
  expect(findRetiredWords("packages/x/src/a.ts", text)).toEqual([
    'packages/x/src/a.ts:1: "KeptRows", use RowCache, CacheEntry, or Stored… (docs/glossary.md)',
    'packages/x/src/a.ts:3: "he", use they, them, their (docs/glossary.md)',
    'packages/x/src/a.ts:4: "poke", use notify (docs/glossary.md)',
  ]);
});

it("leaves words inside other words, and files where the word means something else", () => {
  expect(findRetiredWords("a.ts", "the history of other heaps; spoke; inFlight")).toEqual([]);
  expect(findRetiredWords("packages/i18n/src/german.json", '"x": "die Höhe he"')).toEqual([]);
});
