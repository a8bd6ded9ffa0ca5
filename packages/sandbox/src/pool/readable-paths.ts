import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { CodeLanguage } from "../job.ts";

/** What the processes of a language import, beside their own files. */
const PACKAGES: Record<CodeLanguage, readonly string[]> = {
  javascript: ["quickjs-emscripten-core", "@jitl/quickjs-wasmfile-release-sync"],
  python: ["@pydantic/monty"],
};

/**
 * What a process of a language may read: its own code, and that of its interpreter with what that depends on.
 * @param folder that holds the process's own code and nothing else
 * @returns paths; those of folders end with a separator
 */
export function readablePaths(language: CodeLanguage, folder: string): string[] {
  // Node asks the package of a file how to read it.
  const paths = new Set([join(folder, sep), join(dirname(folder), "package.json")]);
  for (const name of PACKAGES[language]) addPackage(name, folder, paths);
  return [...paths];
}

/** The package as it is found from a folder, through the links that a package manager makes, and its dependencies. */
function addPackage(name: string, from: string, paths: Set<string>): void {
  const link = findPackage(name, from);
  if (link === undefined) return; // an optional dependency for another system
  const real = realpathSync(link);
  const folder = join(real, sep);
  if (paths.has(folder)) return;
  paths.add(link).add(folder);
  const text = readFileSync(join(real, "package.json"), "utf8");
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(text) as Record<string, Record<string, string>>; // cast: as package managers write it
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) addPackage(needed, real, paths);
}

function findPackage(name: string, from: string): string | undefined {
  const link = join(from, "node_modules", name);
  if (existsSync(link)) return link;
  const parent = dirname(from);
  return parent === from ? undefined : findPackage(name, parent);
}
