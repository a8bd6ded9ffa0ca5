import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const packages = join(import.meta.dirname, "../../../packages");
const REEXPORT = /export \{([^}]*)\} from "(\.[^"]+)"/g;

/** Values that a package exports, and whether a TSDoc comment stands before their declaration. */
function exportsOf(index: string): { name: string; documented: boolean }[] {
  return [...readFileSync(index, "utf8").matchAll(REEXPORT)].flatMap(([, names = "", target = ""]) => {
    const source = readFileSync(join(dirname(index), target), "utf8");
    return names.split(",").flatMap((part) => {
      const name = part.trim().split(" as ")[0] ?? "";
      if (name === "" || name.startsWith("type ")) return [];
      const declared = new RegExp(`^export (?:async |abstract )?(?:function|class|const) ${name}\\b`, "m").exec(source);
      return declared === null ? [] : [{ name, documented: source.slice(0, declared.index).trimEnd().endsWith("*/") }];
    });
  });
}

it("every function, class and schema that a package exports has a TSDoc comment", () => {
  const indexes = readdirSync(packages)
    .map((name) => join(packages, name, "src/index.ts"))
    .filter((path) => existsSync(path));
  const exported = indexes.flatMap(exportsOf);
  expect(exported.length).toBeGreaterThan(700);
  expect(exported.filter(({ documented }) => !documented).map(({ name }) => name)).toEqual([]);
});
