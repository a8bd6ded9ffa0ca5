import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const german = JSON.parse(readFileSync(join(root, "packages/i18n/src/german.json"), "utf8")) as Record<string, string>; // cast: a catalogue

/** The English sentences of the screens: what stands first in `t(…)`. */
function sentences(): Set<string> {
  const found = new Set<string>();
  for (const folder of ["apps/dashboard/src", "packages/workflow-editor/src"]) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(file) || file.includes(".test.")) continue;
      const source = readFileSync(join(root, folder, file), "utf8");
      for (const [, quoted = ""] of source.matchAll(/\bt\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/g)) {
        const inner = quoted.slice(1, -1);
        found.add(JSON.parse(quoted.startsWith('"') ? quoted : `"${inner.replaceAll('"', '\\"')}"`));
      }
    }
  }
  return found;
}

const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([name]) => name).sort();

it("every sentence of the screens has its German, with the same values in it, and no other stands in the catalogue", () => {
  const asked = sentences();
  expect(asked.size).toBeGreaterThan(1_000);
  expect([...asked].filter((text) => german[text] === undefined)).toEqual([]);
  expect(Object.keys(german).filter((text) => !asked.has(text))).toEqual([]);
  const differ = Object.entries(german).filter(([text, words]) => `${placeholders(text)}` !== `${placeholders(words)}`);
  expect(differ).toEqual([]);
});
