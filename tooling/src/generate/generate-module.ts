import { addToList } from "./add-to-list.ts";
import { fillTemplate, fillWords } from "./fill-template.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { toCamel, toPascal, toTitle } from "./names.ts";

const SERVER_LIST = "packages/installation/src/modules.ts";
const PAGE_LIST = "apps/dashboard/src/ui-modules.ts";
const PICTURE = "docs/architecture.md";
const TEMPLATES = [
  "package.json",
  "src/menu.ts",
  "src/shapes.ts",
  "src/schema.ts",
  "src/__name__.routes.ts",
  "src/__name__.module.ts",
  "src/__name__.module.test.ts",
  "src/ui/index.tsx",
  "src/ui/__name__-list.tsx",
];

/**
 * The package of a new module with a table, routes and a page, and its line in each of the two lists: that of the servers and that
 * of the pages.
 * @param given such as `billing`; `module-billing` means the same
 * @param read the text of a file of the repository
 */
export function generateModule(given: string, read: (path: string) => string): GeneratedFile[] {
  const name = given.replace(/^module-/, "");
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(`${JSON.stringify(given)} is not a module name; use lower-case letters, digits and single dashes`);
  }
  const [camel, title] = [toCamel(name), toTitle(name)];
  const values = toValues(name);
  const added = (path: string, text: string): GeneratedFile => ({
    path: `packages/module-${name}/${path}`,
    text,
    kind: "new",
  });
  const changed = (path: string, change: (text: string) => string): GeneratedFile => ({
    path,
    text: change(read(path)),
    kind: "changed",
  });
  const create = `create${toPascal(name)}Module`;
  const server = { entry: `${create}()`, value: create, from: `@oven/module-${name}` };
  const pages = { entry: `${camel}Ui`, value: `${camel}Ui`, from: `@oven/module-${name}/ui` };
  const depends = (text: string): string => withDependency(text, `@oven/module-${name}`);
  return [
    ...TEMPLATES.map((path) => added(fillWords(path, values), fillTemplate(`module/${path}`, values))),
    added("i18n/de.json", germanWords(title)),
    changed(SERVER_LIST, (text) => addToList(text, server)),
    changed(PAGE_LIST, (text) => addToList(text, pages)),
    changed(PICTURE, (page) => withPackage(page, `${camel}["module-${name}<br/>${title.toLowerCase()}"]`)),
    changed("packages/installation/package.json", depends),
    changed("apps/dashboard/package.json", depends),
  ];
}

/** What stands in a template for the name of the module, here of `time-sheets`. */
function toValues(name: string): Record<string, string> {
  const title = toTitle(name);
  return {
    /** `time-sheets`: folder, paths, permissions */
    name,
    /** `timeSheets` */
    camel: toCamel(name),
    /** `TimeSheets` */
    Pascal: toPascal(name),
    /** `Time sheets` */
    Title: title,
    /** `time sheets` */
    title: title.toLowerCase(),
    /** `time_sheets` */
    table: name.replaceAll("-", "_"),
    /** As the key of an object: `"time-sheets"`, but `billing`. */
    key: name.includes("-") ? `"${name}"` : name,
  };
}

/** The picture of the packages with one module more. */
function withPackage(page: string, module: string): string {
  const end = page.indexOf("  end\n  registry[");
  if (end < 0) throw new Error(`${PICTURE} has no picture of the modules`);
  return `${page.slice(0, end)}    ${module}\n${page.slice(end)}`;
}

function withDependency(text: string, dependency: string): string {
  const parsed = JSON.parse(text);
  const entries = Object.entries({ ...parsed.dependencies, [dependency]: "workspace:*" });
  parsed.dependencies = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(parsed, null, 2)}\n`;
}

/** The German of the texts of the list page. */
function germanWords(title: string): string {
  const noun = title.toLowerCase();
  const words = {
    [title]: title,
    [noun]: title,
    [`What ${noun} are for.`]: `Wozu ${title} da sind.`,
    [`New entry in ${noun}`]: `Neuer Eintrag in ${title}`,
    [`No ${noun} yet`]: `Noch keine Einträge in ${title}`,
    [`Search ${noun}`]: `${title} durchsuchen`,
    [`The entry in ${noun} cannot be brought back.`]: `Der Eintrag in ${title} lässt sich nicht zurückholen.`,
    [`The entry in ${noun} was not made`]: `Der Eintrag in ${title} wurde nicht angelegt`,
  };
  return `${JSON.stringify(words, Object.keys(words).sort(), 2)}\n`;
}
