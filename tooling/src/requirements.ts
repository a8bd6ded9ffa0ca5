import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listSources } from "./list-sources.ts";

/*
 * `pnpm requirements`: which statements of the source documents a test shows. A test shows a statement by carrying its
 * id in its title, such as `[004-017]`. An id that no document has is an error. `--missing` lists what is not shown yet.
 */
const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/requirements");
const ROW = /^\| (\d{3}-\d{3})(?: `oven`)? \| (.*?) \|$/;
const ID = /\[(\d{3}-\d{3})\]/g;

interface Statement {
  text: string;
  tests: Set<string>;
}

const statements = new Map<string, Statement>();
for (const file of readdirSync(folder).filter((name) => /^\d{3}-.*\.md$/.test(name))) {
  for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
    const [, id, text] = ROW.exec(line) ?? [];
    if (id !== undefined && text !== undefined) statements.set(id, { text, tests: new Set() });
  }
}

const unknown: string[] = [];
for (const path of listSources(root).filter((name) => /\.test\.tsx?$/.test(name))) {
  for (const [, id = ""] of readFileSync(join(root, path), "utf8").matchAll(ID)) {
    const statement = statements.get(id);
    if (statement === undefined) unknown.push(`${path}: [${id}] is in no document`);
    else statement.tests.add(path);
  }
}

if (!process.argv.includes("--quiet")) {
  const documents = [...new Set([...statements.keys()].map((id) => id.slice(0, 3)))].sort();
  for (const document of documents) {
    const own = [...statements].filter(([id]) => id.startsWith(document));
    const shown = own.filter(([, { tests }]) => tests.size > 0);
    process.stdout.write(`${document}: ${shown.length} of ${own.length} statements shown\n`);
    for (const [id, { text, tests }] of process.argv.includes("--missing") ? own : shown) {
      process.stdout.write(tests.size === 0 ? `  ${id} not shown: ${text}\n` : `  ${id} ${[...tests].join(", ")}\n`);
    }
  }
}
for (const line of unknown) console.error(line);
process.exitCode = unknown.length === 0 ? 0 : 1;
