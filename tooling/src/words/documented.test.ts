import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const packages = join(import.meta.dirname, "../../../packages");
const REEXPORT = /export \{([^}]*)\} from "(\.[^"]+)"/g;

/** The files that other packages may import from, without the tables. */
function doorsOf(name: string): string[] {
  const manifest = join(packages, name, "package.json");
  if (!existsSync(manifest)) return [];
  const doors: string[] = Object.values(JSON.parse(readFileSync(manifest, "utf8")).exports ?? {});
  return doors
    .filter((door) => door.endsWith(".ts") && !door.endsWith("/schema.ts"))
    .map((door) => join(packages, name, door));
}

/** Values that a door exports, and whether a TSDoc comment stands before their declaration. */
function exportsOf(door: string): { name: string; documented: boolean }[] {
  return [...readFileSync(door, "utf8").matchAll(REEXPORT)].flatMap(([, names = "", target = ""]) => {
    const source = readFileSync(join(dirname(door), target), "utf8");
    return names.split(",").flatMap((part) => {
      const name = part.trim().split(" as ")[0] ?? "";
      if (name === "" || name.startsWith("type ")) return [];
      const declared = new RegExp(`^export (?:async |abstract )?(?:function|class|const) ${name}\\b`, "m").exec(source);
      return declared === null ? [] : [{ name, documented: source.slice(0, declared.index).trimEnd().endsWith("*/") }];
    });
  });
}

/** Where each file is a door: `"./*": "./src/*"`. */
function folderDoorsOf(name: string): string[] {
  const manifest = join(packages, name, "package.json");
  if (!existsSync(manifest)) return [];
  const folders = Object.values<string>(JSON.parse(readFileSync(manifest, "utf8")).exports ?? {});
  return folders
    .filter((folder) => folder.endsWith("/*") && !folder.includes("/ui/") && !folder.includes("/screen/"))
    .flatMap((folder) => {
      const path = join(packages, name, folder.slice(0, -1));
      return readdirSync(path, { recursive: true, encoding: "utf8" })
        .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."))
        .map((file) => join(path, file));
    });
}

it("every function, class and constant of a folder whose files are doors has a TSDoc comment", () => {
  const exported = readdirSync(packages)
    .flatMap(folderDoorsOf)
    .flatMap((path) => {
      const source = readFileSync(path, "utf8");
      return [...source.matchAll(/^export (?:async |abstract )?(?:function|class|const) (\w+)\b/gm)].map((found) => ({
        name: found[1],
        documented: source.slice(0, found.index).trimEnd().endsWith("*/"),
      }));
    });
  expect(exported.length).toBeGreaterThan(200);
  expect(exported.filter(({ documented }) => !documented).map(({ name }) => name)).toEqual([]);
});

it("every function, class and schema that a package exports has a TSDoc comment", () => {
  const exported = readdirSync(packages).flatMap(doorsOf).flatMap(exportsOf);
  expect(exported.length).toBeGreaterThan(700);
  expect(exported.filter(({ documented }) => !documented).map(({ name }) => name)).toEqual([]);
});
