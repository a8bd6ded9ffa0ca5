import { relative, resolve } from "node:path";
import { BROWSER_MAY_IMPORT, FORBIDDEN_EVERYWHERE, MAY_IMPORT, TESTS_MAY_IMPORT } from "./layer-rules.ts";

const IMPORT = /(?:from\s+|import\s+|import\()\s*["']([^"']+)["']/g;

/** What one source file imports against the rules; `path` is relative to the root, with `/`. */
export function findViolations(path: string, source: string): string[] {
  const owner = ownerOf(path);
  if (owner === undefined) return [];
  const isTest = /\.test\.tsx?$/.test(path) || path.includes("/e2e/") || /\/src\/(?:\w+\/)+testing\//.test(path);
  const isOwnTool = isTest || owner.name === "testing" || path.includes("/testing/");
  return [...source.matchAll(IMPORT)].flatMap(([, target = ""]) => {
    if (target.startsWith("."))
      return leavesPackage(path, target, owner.root) ? [`${path}: ${target} leaves its package`] : [];
    if (FORBIDDEN_EVERYWHERE.includes(target) && !isOwnTool) return [`${path}: nothing may import ${target}`];
    if (/^drizzle-orm(\/pg-core)?$/.test(target) && owner.name !== "db")
      return [`${path}: import @oven/db/drizzle or @oven/db/pg-core instead of ${target}`];
    if (!target.startsWith("@oven/")) return [];
    const imported = target.slice("@oven/".length);
    const [name = ""] = imported.split("/");
    const allowed = [...owner.mayImport, ...(isTest ? TESTS_MAY_IMPORT : [])];
    if (owner.all || allowed.includes(name) || allowed.includes(imported)) return [];
    return [`${path}: ${owner.name} may not import ${target}`];
  });
}

interface Owner {
  name: string;
  root: string;
  mayImport: readonly string[];
  all: boolean;
}

function ownerOf(path: string): Owner | undefined {
  const [, name] = /^packages\/([^/]+)\//.exec(path) ?? [];
  if (name !== undefined) {
    const rule = MAY_IMPORT[name];
    if (rule === undefined)
      return {
        name: `packages/${name} (no rule in layer-rules.ts)`,
        root: `packages/${name}`,
        mayImport: [],
        all: false,
      };
    return { name, root: `packages/${name}`, mayImport: [name, ...rule], all: false };
  }
  if (/^apps\/dashboard\/(app|src)\//.test(path)) {
    return { name: "the dashboard's browser code", root: "apps/dashboard", mayImport: BROWSER_MAY_IMPORT, all: false };
  }
  return path.startsWith("apps/")
    ? { name: "apps", root: path.split("/").slice(0, 2).join("/"), mayImport: [], all: true }
    : undefined;
}

function leavesPackage(path: string, target: string, root: string): boolean {
  return relative(root, resolve(path, "..", target)).startsWith("..");
}
