import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadLanguage, t } from "../../../packages/i18n/src/index.ts";

const root = join(import.meta.dirname, "../../..");
const catalogue = (name: string) =>
  JSON.parse(readFileSync(join(root, `packages/i18n/src/${name}.json`), "utf8")) as Record<string, string>; // cast: a catalogue
const german = catalogue("german");
const ONE = "_one";

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
  expect(Object.keys(german).filter((text) => !asked.has(text) && !text.endsWith(ONE))).toEqual([]);
  const differ = Object.entries(german).filter(([text, words]) => `${placeholders(text)}` !== `${placeholders(words)}`);
  expect(differ).toEqual([]);
});

it("what is counted has its singular in both languages", async () => {
  const counted = [...sentences()].filter((text) => text.includes("{{count}}"));
  const singulars = counted.map((text) => `${text}${ONE}`).sort();
  expect(Object.keys(catalogue("english")).sort()).toEqual(singulars);
  expect(
    Object.keys(german)
      .filter((text) => text.endsWith(ONE))
      .sort(),
  ).toEqual(singulars);
  const said = (count: number) => t("{{count}} calls", { count });
  expect([0, 1, 2].map(said)).toEqual(["0 calls", "1 call", "2 calls"]);
  await loadLanguage("de");
  expect([0, 1, 2].map(said)).toEqual(["0 Aufrufe", "1 Aufruf", "2 Aufrufe"]);
  await loadLanguage("en");
});
