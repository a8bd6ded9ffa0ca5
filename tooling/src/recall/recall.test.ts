import { join } from "node:path";
import { expect, test } from "vitest";
import { DOCUMENT_QUESTIONS } from "./document-questions.ts";
import { measureDocuments, measureLanguages, measureMemory, withInstallation } from "./measure-recall.ts";
import { FACTS, MEMORY_QUESTIONS } from "./memory-facts.ts";

const root = join(import.meta.dirname, "../../..");

/* Floors well below what `pnpm recall` measures; the figures are in docs/guides/memory.md and knowledge.md. */

test("memory finds paraphrased facts among a hundred", { timeout: 120_000 }, async () => {
  expect([FACTS.length, new Set(FACTS.map(([key]) => key)).size, MEMORY_QUESTIONS.length]).toEqual([100, 100, 20]);
  const { semantic, keyword } = await withInstallation((services) => measureMemory(services, ["semantic", "keyword"]));
  expect(semantic?.recall).toBeGreaterThanOrEqual(0.75);
  // The questions share hardly a word with the facts: it is the meaning that finds them.
  expect(keyword?.recall).toBeLessThan(0.5);
});

test("document search finds the guide that answers, and both ways find more than meaning alone", {
  timeout: 120_000,
}, async () => {
  expect(DOCUMENT_QUESTIONS).toHaveLength(30);
  const some = /guides.(retention|secrets|reviews|past-runs)/;
  const { results } = await withInstallation((services) => measureDocuments(services, root, (path) => some.test(path)));
  expect(results.hybrid?.recall).toBeGreaterThanOrEqual(0.7);
  expect(results.hybrid?.recall).toBeGreaterThanOrEqual(results.vector?.recall ?? 1);
});

test("words are found in sentences of seven languages, with or without spaces", { timeout: 120_000 }, async () => {
  const results = await withInstallation(measureLanguages);
  expect(Object.keys(results)).toEqual(["zh", "ja", "ko", "th", "ar", "de", "ru"]);
  for (const [language, { recall, missed }] of Object.entries(results))
    expect({ language, found: recall >= 0.9, missed }).toMatchObject({ language, found: true });
});
