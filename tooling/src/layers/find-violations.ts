import { relative, resolve } from "node:path";
import {
  BROWSER_MAY_IMPORT,
  EVERY_MODULE,
  FORBIDDEN_EVERYWHERE,
  FOUNDATION,
  MAY_IMPORT,
  PAGES_OF_OTHERS,
  SHARED_WITH_PAGES,
  STARTS_PROCESSES,
  TESTS_MAY_IMPORT,
} from "./layer-rules.ts";

const IMPORT = /(?:from\s+|import\s+|import\()\s*["']([^"']+)["']/g;

/** What one source file imports against the rules; `path` is relative to the root, with `/`. */
export function findViolations(path: string, source: string): string[] {
  const owner = ownerOf(path);
  if (owner === undefined) return [];
  const isTest = /\.test\.tsx?$/.test(path) || path.includes("/e2e/") || /\/src\/(?:\w+\/)+testing\//.test(path);
  const isOwnTool = isTest || owner.name === "testing" || path.includes("/testing/");
  return [...source.matchAll(IMPORT)].flatMap(([, target = ""]) => {
    if (target.startsWith(".")) return checkRelative(path, target, owner).map((what) => `${path}: ${target} ${what}`);
    if (FORBIDDEN_EVERYWHERE.includes(target) && !isOwnTool && !mayStartProcesses(path, target))
      return [`${path}: nothing may import ${target}`];
    if (/^drizzle-orm(\/pg-core)?$/.test(target) && owner.name !== "db")
      return [`${path}: import @oven/db/drizzle or @oven/db/pg-core instead of ${target}`];
    if (!target.startsWith("@oven/")) return [];
    const imported = target.slice("@oven/".length);
    const [name = ""] = imported.split("/");
    const allowed = [...owner.mayImport, ...(isTest ? TESTS_MAY_IMPORT : [])];
    if (owner.all || allowed.includes(name)) return [];
    if (allowed.includes(EVERY_MODULE) && name.startsWith("module-")) return [];
    if (owner.pagesOf.some((module) => imported === `${module}/ui` || imported.startsWith(`${module}/ui/`))) return [];
    if (owner.pagesOf.includes("*") && /^module-[^/]+\/ui(\/|$)/.test(imported)) return [];
    return [`${path}: ${owner.name} may not import ${target}`];
  });
}

function mayStartProcesses(path: string, target: string): boolean {
  return path === STARTS_PROCESSES && target === "node:child_process";
}

interface Owner {
  name: string;
  root: string;
  mayImport: readonly string[];
  /** Modules whose pages it may import; `*`: of all. */
  pagesOf: readonly string[];
  all: boolean;
}

const MODULE_PAGES = /^packages\/(module-[^/]+)\/src\/ui\//;

function ownerOf(path: string): Owner | undefined {
  const [, pages] = MODULE_PAGES.exec(path) ?? [];
  if (pages !== undefined)
    return {
      name: `the pages of ${pages}`,
      root: `packages/${pages}`,
      mayImport: BROWSER_MAY_IMPORT,
      pagesOf: PAGES_OF_OTHERS[pages] ?? [],
      all: false,
    };
  const [, name] = /^packages\/([^/]+)\//.exec(path) ?? [];
  if (name !== undefined) {
    const rule = MAY_IMPORT[name] ?? (name.startsWith("module-") ? FOUNDATION : undefined);
    const root = `packages/${name}`;
    if (rule === undefined)
      return { name: `${root} (no rule in layer-rules.ts)`, root, mayImport: [], pagesOf: [], all: false };
    return { name, root, mayImport: [name, ...rule], pagesOf: [], all: false };
  }
  if (/^apps\/dashboard\/(app|src)\//.test(path))
    return {
      name: "the dashboard's browser code",
      root: "apps/dashboard",
      mayImport: BROWSER_MAY_IMPORT,
      pagesOf: ["*"],
      all: false,
    };
  return path.startsWith("apps/")
    ? { name: "apps", root: path.split("/").slice(0, 2).join("/"), mayImport: [], pagesOf: [], all: true }
    : undefined;
}

/** What is wrong about an import of a file: it belongs to another package, or to the other side of a module. */
function checkRelative(path: string, target: string, owner: Owner): string[] {
  const file = relative(".", resolve(path, "..", target));
  if (relative(owner.root, file).startsWith("..")) return ["leaves its package"];
  if (!owner.root.startsWith("packages/module-")) return [];
  const isOfPages = (file: string) => MODULE_PAGES.test(file);
  if (isOfPages(path) && !isOfPages(file) && !/\/i18n\/\w+\.json$/.test(file)) {
    const shared = SHARED_WITH_PAGES.map((name) => `${owner.root}/src/${name}`);
    if (!shared.includes(file)) return ["is of the server"];
  }
  return !isOfPages(path) && isOfPages(file) ? ["is of the pages"] : [];
}
