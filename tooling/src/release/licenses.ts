import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LIBRARY = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENSE_FILES = ["LICEN[CS]E*", "licen[cs]e*", "NOTICE*", "COPYING*"];
const LINE = "=".repeat(80);

/** Adds the folder of the library that a bundled file comes from; nothing for our own. */
export function addLibrary(file: string, libraries: Set<string>): void {
  const [, folder] = LIBRARY.exec(file) ?? [];
  if (folder !== undefined && existsSync(join(folder, "package.json"))) libraries.add(folder);
}

/** What the licences of bundled libraries ask for: each with its name, version, licence and the texts that come with it. */
export function licensesOf(folders: readonly string[]): string {
  const parts = new Map(folders.map(licenseOf));
  return [...parts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, text]) => text)
    .join("\n");
}

function licenseOf(folder: string): [name: string, text: string] {
  // cast: a package.json
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  const texts = globSync(LICENSE_FILES, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(folder, entry.name), "utf8").trim());
  const title = `${name} ${version}`;
  return [title, [LINE, `${title} (${license ?? "see below"})`, LINE, ...new Set(texts), ""].join("\n")];
}
