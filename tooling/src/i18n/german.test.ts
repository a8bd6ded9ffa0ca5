import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MENU_SECTIONS } from "../../../packages/contract/src/menu.ts";
import { loadLanguage, t, type Words } from "../../../packages/i18n/src/index.ts";
import { installedModules } from "../../../packages/installation/src/index.ts";
import { PROVIDERS } from "../../../packages/module-ai/src/providers/all-providers.ts";
import { BOT_SENTENCES } from "../../../packages/module-bots/src/bot-sentences.ts";

const root = join(import.meta.dirname, "../../..");
const packages = join(root, "packages");
const modules = readdirSync(packages).filter((name) => existsSync(join(packages, name, "src/ui/index.tsx")));
const ONE = "_one";

type Catalogue = Record<string, string>;

function read(path: string): Catalogue {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/** The words of the shell, of the shared parts and of the editor. */
const shared = { de: read(join(packages, "i18n/src/german.json")), en: read(join(packages, "i18n/src/english.json")) };

function ownWords(module: string): { de: Catalogue; en: Catalogue } {
  return { de: read(join(packages, module, "i18n/de.json")), en: read(join(packages, module, "i18n/en.json")) };
}

const german: Catalogue = Object.assign({}, shared.de, ...modules.map((name) => ownWords(name).de));
const english: Catalogue = Object.assign({}, shared.en, ...modules.map((name) => ownWords(name).en));

/** Paths and sources of screens. */
function screens(folders: string[]): [path: string, source: string][] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."))
      .map((file): [string, string] => [`${folder}/${file}`, readFileSync(join(root, folder, file), "utf8")]),
  );
}

const SHARED_FOLDERS = ["apps/dashboard/src", "packages/ui/src", "packages/workflow-editor/src"];
const folderOf = (module: string) => `packages/${module}/src/ui`;
const EVERYWHERE = [...SHARED_FOLDERS, ...modules.map(folderOf)];

/** The English sentences of screens: what stands first in `t(…)` and `tx(…)`. */
function sentences(folders = EVERYWHERE): Set<string> {
  const found = new Set<string>();
  for (const [, source] of screens(folders)) {
    for (const [, quoted = ""] of source.matchAll(/\btx?\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/g)) {
      const inner = quoted.slice(1, -1);
      found.add(JSON.parse(quoted.startsWith('"') ? quoted : `"${inner.replaceAll('"', '\\"')}"`));
    }
  }
  return found;
}

/** What a module's menu and lists are called. */
function titles(module: string): string[] {
  const source = readFileSync(join(packages, module, "src/menu.ts"), "utf8");
  return [...source.matchAll(/title: "([^"]*)"/g)].map(([, title = ""]) => title);
}

const sharedSentences = new Set([...sentences(SHARED_FOLDERS), ...MENU_SECTIONS, "Home"]);
/** What servers say as bots and about settings, kinds of triggers, model providers, services of the catalogue and personal data, by the module whose list they are in. */
const SERVED: Record<string, string[]> = {
  "module-bots": Object.values(BOT_SENTENCES),
  "module-ai": PROVIDERS.flatMap(({ title, help }) => [title, help]),
  "module-registry": installedModules({ demo: true })
    .flatMap(({ configSchema }) => configSchema)
    .flatMap(({ description, instances = [] }) => [description].concat(instances)),
  "module-roles": installedModules({ demo: true })
    .flatMap(({ personData }) => personData?.holdings ?? [])
    .flatMap(({ title, erase }) => [title, ...(erase.how === "retain" ? [erase.why] : [])]),
  "module-triggers": installedModules({ demo: true })
    .flatMap((module) => module.triggers)
    .flatMap(({ title, docs }) => [title, docs]),
};
const own = new Map(
  modules.map((name) => [name, new Set([...sentences([folderOf(name)]), ...titles(name), ...(SERVED[name] ?? [])])]),
);

const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([name]) => name).sort();

it("every sentence of the screens has its German, with the same values in it", () => {
  const asked = [...sharedSentences, ...[...own.values()].flatMap((texts) => [...texts])];
  expect(asked.length).toBeGreaterThan(2_000);
  expect(asked.filter((text) => german[text] === undefined)).toEqual([]);
  const differ = Object.entries(german).filter(
    ([text, words]) => `${placeholders(english[text] ?? text)}` !== `${placeholders(words)}`,
  );
  expect(differ).toEqual([]);
});

it.each(modules)("the words of %s are what its pages alone say", (module) => {
  const says = own.get(module);
  const { de, en } = ownWords(module);
  const elsewhere = (text: string) =>
    sharedSentences.has(text) || [...own].some(([name, texts]) => name !== module && texts.has(text));
  expect(Object.keys(de).filter((text) => !text.endsWith(ONE) && says?.has(text) !== true)).toEqual([]);
  expect(Object.keys(de).filter(elsewhere)).toEqual([]);
  expect(Object.keys(en).filter((text) => de[text] === undefined)).toEqual([]);
});

it("the shared words are what the shell, the editor or several modules say", () => {
  const times = (text: string) => [...own.values()].filter((texts) => texts.has(text)).length;
  const idle = Object.keys(shared.de).filter(
    (text) => !text.endsWith(ONE) && !sharedSentences.has(text) && times(text) < 2,
  );
  expect(idle).toEqual([]);
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
  for (const [path, source] of screens(EVERYWHERE)) {
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
  expect(Object.keys(english).sort()).toEqual(singulars);
  expect(
    Object.keys(german)
      .filter((text) => text.endsWith(ONE))
      .sort(),
  ).toEqual(singulars);
  const parts = modules.map((name): Words => {
    const { de, en } = ownWords(name);
    return { de: async () => ({ default: de }), en: async () => ({ default: en }) };
  });
  const said = (count: number) => t("{{count}} calls", { count });
  await loadLanguage("en", parts);
  expect([0, 1, 2].map(said)).toEqual(["0 calls", "1 call", "2 calls"]);
  await loadLanguage("de", parts);
  expect([0, 1, 2].map(said)).toEqual(["0 Aufrufe", "1 Aufruf", "2 Aufrufe"]);
  await loadLanguage("en");
});
