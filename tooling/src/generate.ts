import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { generateModule } from "./generate/generate-module.ts";
import { generateNode } from "./generate/generate-node.ts";
import { generatePage } from "./generate/generate-page.ts";
import { formatSource, type GeneratedFile, writeFiles } from "./generate/generated-file.ts";

/*
 * `pnpm gen node core.shout`: a node's file, its test and its line in the list of nodes.
 * `pnpm gen page chat transcripts`: a page of a module, its entry in the menu and its German.
 * `pnpm gen module billing`: the package of a module with a table, routes and a page, and its line in the two lists of modules.
 */
const root = join(import.meta.dirname, "../..");
const [kind, name, page] = process.argv.slice(2);

function write(files: readonly GeneratedFile[]): void {
  const formatted = files.map((file) => ({ ...file, text: formatSource(root, file) }));
  writeFiles(root, formatted);
  for (const file of files) process.stdout.write(`${file.kind === "new" ? "wrote  " : "changed"} ${file.path}\n`);
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: root, stdio: "inherit" });
}

try {
  if (kind === "node" && name !== undefined) {
    const files = generateNode(name, (path) => readFileSync(join(root, path), "utf8"));
    write(files);
    process.stdout.write(`\nTry it: npx -y pnpm@12.21.0 exec vitest run ${files[1]?.path}\n`);
    process.stdout.write("Then:   npx -y pnpm@12.21.0 node-reference\n");
  } else if (kind === "module" && name !== undefined) {
    const files = generateModule(name, (path) => readFileSync(join(root, path), "utf8"));
    write(files);
    run("npx", ["-y", "pnpm@12.21.0", "install", "--no-frozen-lockfile"]);
    const folder = dirname(files[0]?.path ?? "");
    run("node", ["tooling/src/generate-migrations.ts", "init", basename(folder)]);
    process.stdout.write(`\nTry it: npx -y pnpm@12.21.0 exec vitest run ${folder}\n`);
    process.stdout.write("Then:   npx -y pnpm@12.21.0 dev\n");
  } else if (kind === "page" && name !== undefined && page !== undefined) {
    write(generatePage(name, page, (path) => readFileSync(join(root, path), "utf8")));
    process.stdout.write("\nSee it: npx -y pnpm@12.21.0 dev\n");
  } else {
    console.error(
      "Usage: pnpm gen node <core.name | agent.name>\n       pnpm gen module <name>\n       pnpm gen page <module> <name>",
    );
    process.exitCode = 2;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
