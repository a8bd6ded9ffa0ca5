import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { generateModule } from "./generate/generate-module.ts";
import { generateNode } from "./generate/generate-node.ts";
import { generatePage } from "./generate/generate-page.ts";
import { generateProvider } from "./generate/generate-provider.ts";
import { generateTrigger } from "./generate/generate-trigger.ts";
import { formatSource, type GeneratedFile, writeFiles } from "./generate/generated-file.ts";

/*
 * `pnpm gen node core.shout`: a node's file, its test and its line in the list of nodes.
 * `pnpm gen page chat transcripts`: a page of a module, its entry in the menu and its German.
 * `pnpm gen module billing`: the package of a module with a table, routes and a page, and its line in the two lists of modules.
 * `pnpm gen provider mistral https://api.mistral.ai/v1`: a kind of model provider, with its words and its line in README.
 * `pnpm gen trigger low-stock`: a kind of trigger, with its words.
 */
const root = join(import.meta.dirname, "../..");
const [kind, name, more] = process.argv.slice(2);
const read = (path: string) => readFileSync(join(root, path), "utf8");

function write(files: readonly GeneratedFile[]): void {
  const formatted = files.map((file) => ({ ...file, text: formatSource(root, file) }));
  writeFiles(root, formatted);
  for (const file of files) process.stdout.write(`${file.kind === "new" ? "wrote  " : "changed"} ${file.path}\n`);
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: root, stdio: "inherit" });
}

/** Of generators whose second file is the test. */
function writeAndSay(files: readonly GeneratedFile[]): void {
  write(files);
  process.stdout.write(`\nTry it: npx -y pnpm@12.21.0 exec vitest run ${files[1]?.path}\n`);
}

try {
  if (kind === "node" && name !== undefined) {
    const files = generateNode(name, read);
    writeAndSay(files);
    process.stdout.write("Then:   npx -y pnpm@12.21.0 node-reference\n");
  } else if (kind === "provider" && name !== undefined) {
    writeAndSay(generateProvider(name, more, read));
    process.stdout.write("Then:   its address, its title and help, and its prices; docs/guides/add-a-provider.md\n");
  } else if (kind === "trigger" && name !== undefined) {
    writeAndSay(generateTrigger(name, read));
    process.stdout.write("Then:   what it looks at; docs/guides/add-a-trigger.md\n");
  } else if (kind === "module" && name !== undefined) {
    const files = generateModule(name, read);
    write(files);
    run("npx", ["-y", "pnpm@12.21.0", "install", "--no-frozen-lockfile"]);
    const folder = dirname(files[0]?.path ?? "");
    run("node", ["tooling/src/generate-migrations.ts", "init", basename(folder)]);
    process.stdout.write(`\nTry it: npx -y pnpm@12.21.0 exec vitest run ${folder}\n`);
    process.stdout.write("Then:   npx -y pnpm@12.21.0 dev\n");
  } else if (kind === "page" && name !== undefined && more !== undefined) {
    write(generatePage(name, more, read));
    process.stdout.write("\nSee it: npx -y pnpm@12.21.0 dev\n");
  } else {
    const usage = [
      "node <core.name | agent.name>",
      "module <name>",
      "page <module> <name>",
      "provider <name> [address]",
      "trigger <name>",
    ];
    console.error(`Usage: ${usage.map((line) => `pnpm gen ${line}`).join("\n       ")}`);
    process.exitCode = 2;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
