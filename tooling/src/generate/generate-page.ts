import type { GeneratedFile } from "./generated-file.ts";
import { withGerman } from "./german-words.ts";
import { toPascal, toTitle } from "./names.ts";

/**
 * A page of a module: its file, its entry in the menu, its place among the module's pages, and its German.
 * @param module such as `module-chat`; `chat` means the same
 * @param name such as `time-sheets`: path, file and title follow from it
 * @param read the text of a file of the repository
 */
export function generatePage(module: string, name: string, read: (path: string) => string): GeneratedFile[] {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(`${JSON.stringify(name)} is not a page's name; use lower-case letters, digits and single dashes`);
  }
  const folder = `packages/module-${module.replace(/^module-/, "")}`;
  const [menu, pages, words] = [`${folder}/src/menu.ts`, `${folder}/src/ui/index.tsx`, `${folder}/i18n/de.json`];
  const title = toTitle(name);
  const page = `${toPascal(name)}Page`;
  const item = `{ section: "Start", order: 900, title: "${title}", to: "/${name}" }`;
  const changed = (path: string, text: string): GeneratedFile => ({ path, text, kind: "changed" });
  return [
    { path: `${folder}/src/ui/${name}/${name}-page.tsx`, text: pageSource(page, title), kind: "new" },
    changed(menu, addEntry(read(menu), item, `to: "/${name}"`)),
    changed(pages, withPage(read(pages), page, name)),
    changed(words, withGerman(read(words), { [title]: title, [lineOf(title)]: `Was ${title} zeigt.` })),
  ];
}

function lineOf(title: string): string {
  return `What ${title.toLowerCase()} shows.`;
}

function pageSource(page: string, title: string): string {
  return `import { t } from "@oven/i18n";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import type { ReactElement } from "react";

/** ${title}. */
export function ${page}(): ReactElement {
  return (
    <>
      <PageHeader title={t("${title}")} />
      <Panel>{t("${lineOf(title)}")}</Panel>
    </>
  );
}
`;
}

function addEntry(source: string, entry: string, mark: string): string {
  if (source.includes(mark)) throw new Error(`the menu has ${mark} already`);
  const end = source.lastIndexOf("];");
  return `${source.slice(0, end)}${entry},\n${source.slice(end)}`;
}

/** A module's list of pages with one more: how it is loaded, its path, its icon. */
function withPage(source: string, page: string, name: string): string {
  const begin = /\n\/\*\*[^\n]*\*\/\nexport const \w+: UiModule/.exec(source);
  if (begin === null || !source.includes("  icons: {"))
    throw new Error("the module has no `UiModule` to add a page to");
  const load = `\nconst ${page} = lazyPage(() => import("./${name}/${name}-page.tsx"), "${page}");\n`;
  const entry = `{ path: "/${name}", element: <${page} /> },`;
  const declared = source.slice(0, begin.index) + load + source.slice(begin.index);
  const listed = declared.includes("\n  pages: [")
    ? declared.replace("\n  pages: [", `\n  pages: [ ${entry}`)
    : declared.replace("\n  words:", `\n  pages: [${entry}],\n  words:`);
  const shown = listed.replace("  icons: {", `  icons: { "/${name}": WidgetsOutlined,`);
  const icon = 'import WidgetsOutlined from "@mui/icons-material/WidgetsOutlined";\n';
  return shown.includes(icon) ? shown : icon + shown;
}
