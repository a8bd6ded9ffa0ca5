import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadLanguage, t } from "../../../packages/i18n/src/index.ts";
import { installedModules } from "../../../packages/installation/src/index.ts";
import { PROVIDERS } from "../../../packages/module-ai/src/providers/all-providers.ts";

const root = join(import.meta.dirname, "../../..");
const catalogue = (name: string) =>
  JSON.parse(readFileSync(join(root, `packages/i18n/src/${name}.json`), "utf8")) as Record<string, string>; // cast: a catalogue
const german = catalogue("german");
const ONE = "_one";

/** Paths and sources of the screens. */
function screens(): [path: string, source: string][] {
  return ["apps/dashboard/src", "packages/workflow-editor/src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."))
      .map((file): [string, string] => [`${folder}/${file}`, readFileSync(join(root, folder, file), "utf8")]),
  );
}

/** The English sentences of the screens: what stands first in `t(…)` and `tx(…)`. */
function sentences(): Set<string> {
  const found = new Set<string>();
  for (const [, source] of screens()) {
    for (const [, quoted = ""] of source.matchAll(/\btx?\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/g)) {
      const inner = quoted.slice(1, -1);
      found.add(JSON.parse(quoted.startsWith('"') ? quoted : `"${inner.replaceAll('"', '\\"')}"`));
    }
  }
  return found;
}

/** What the server says about kinds of triggers and of model providers. */
function servedWords(): string[] {
  const triggers = installedModules({ demo: true }).flatMap((module) => module.triggers);
  return [
    ...PROVIDERS.flatMap(({ title, help }) => [title, help]),
    ...triggers.flatMap(({ title, docs }) => [title, docs]),
  ];
}

const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([name]) => name).sort();

it("every sentence of the screens, and of kinds of triggers and providers, has its German, with the same values in it, and no other stands in the catalogue", () => {
  const asked = new Set([...sentences(), ...servedWords()]);
  expect(asked.size).toBeGreaterThan(1_000);
  expect([...asked].filter((text) => german[text] === undefined)).toEqual([]);
  expect(Object.keys(german).filter((text) => !asked.has(text) && !text.endsWith(ONE))).toEqual([]);
  const english = catalogue("english");
  const differ = Object.entries(german).filter(
    ([text, words]) => `${placeholders(english[text] ?? text)}` !== `${placeholders(words)}`,
  );
  expect(differ).toEqual([]);
});

/** Placeholders say what stands there: these are left over from code. */
const UNNAMED = /\{\{(?:value\d*|length\d*|join|text\d+|to[A-Z]\w*|\w+Value)\}\}/;

it("every sentence is whole: none begins or ends where another part would be put, and placeholders are named", () => {
  const isPart = (text: string): boolean => /^[\s,;.:)·]/.test(text) || /[\s,;(“]$/.test(text) || UNNAMED.test(text);
  expect([...sentences()].filter(isPart)).toEqual([]);
});

/** A text beside a value or an element on one line of the screen: the sentence is put together there. */
const GLUED = [
  /\{t\("[^"]*"\)\} (?:\{(?!" "\})|<(?:code|Code|b|strong|RelativeTime)\b)/,
  /\{[^{}]+\} \{t\("/,
  /<\/(?:code|Code|b|strong|Link)>\s*\{t\("[a-z.,;]/,
];

it("no sentence is put together from parts", () => {
  const found: string[] = [];
  for (const [path, source] of screens()) {
    for (const pattern of GLUED) {
      const glued = pattern.exec(source);
      if (glued !== null) found.push(`${path}: ${glued[0]}`);
    }
  }
  expect(found).toEqual([]);
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
