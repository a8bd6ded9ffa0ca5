import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateModule } from "./generate/generate-module.ts";
import { generateNode } from "./generate/generate-node.ts";
import { formatSource, type GeneratedFile, writeFiles } from "./generate/generated-file.ts";

/*
 * `pnpm gen node core.shout`: a node's file, its test and its line in the list of nodes.
 * `pnpm gen module billing`: the package of a module, and which lines to add by hand.
 */
const root = join(import.meta.dirname, "../..");
const [kind, name] = process.argv.slice(2);

function write(files: readonly GeneratedFile[]): void {
  const formatted = files.map((file) => ({ ...file, text: formatSource(root, file) }));
  writeFiles(root, formatted);
  for (const file of files) process.stdout.write(`${file.kind === "new" ? "wrote  " : "changed"} ${file.path}\n`);
}

try {
  if (kind === "node" && name !== undefined) {
    const files = generateNode(name, (path) => readFileSync(join(root, path), "utf8"));
    write(files);
    process.stdout.write(`\nTry it: npx -y pnpm@12.21.0 exec vitest run ${files[1]?.path}\n`);
    process.stdout.write("Then:   npx -y pnpm@12.21.0 node-reference\n");
  } else if (kind === "module" && name !== undefined) {
    const { files, steps } = generateModule(name);
    write(files);
    process.stdout.write(`\nThen:\n${steps.map((step, index) => `${index + 1}. ${step}`).join("\n")}\n`);
  } else {
    console.error("Usage: pnpm gen node <core.name | agent.name>\n       pnpm gen module <name>");
    process.exitCode = 2;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
