import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateModule } from "./generate/generate-module.ts";
import { generateNode } from "./generate/generate-node.ts";
import { generateProvider } from "./generate/generate-provider.ts";
import { generateTrigger } from "./generate/generate-trigger.ts";
import { formatSource, type GeneratedFile, writeFiles } from "./generate/generated-file.ts";

/*
 * `pnpm gen node core.shout`: a node's file, its test and its line in the list of nodes.
 * `pnpm gen module billing`: the package of a module, and which lines to add by hand.
 * `pnpm gen provider mistral https://api.mistral.ai/v1`: a kind of model provider, with its words and its line in README.
 * `pnpm gen trigger low-stock`: a kind of trigger, with its words.
 */
const root = join(import.meta.dirname, "../..");
const [kind, name, address] = process.argv.slice(2);
const read = (path: string) => readFileSync(join(root, path), "utf8");

function write(files: readonly GeneratedFile[]): void {
  const formatted = files.map((file) => ({ ...file, text: formatSource(root, file) }));
  writeFiles(root, formatted);
  for (const file of files) process.stdout.write(`${file.kind === "new" ? "wrote  " : "changed"} ${file.path}\n`);
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
    writeAndSay(generateProvider(name, address, read));
    process.stdout.write("Then:   its address, its title and help, and its prices; docs/guides/add-a-provider.md\n");
  } else if (kind === "trigger" && name !== undefined) {
    writeAndSay(generateTrigger(name, read));
    process.stdout.write("Then:   what it looks at; docs/guides/add-a-trigger.md\n");
  } else if (kind === "module" && name !== undefined) {
    const { files, steps } = generateModule(name);
    write(files);
    process.stdout.write(`\nThen:\n${steps.map((step, index) => `${index + 1}. ${step}`).join("\n")}\n`);
  } else {
    const usage = ["node <core.name | agent.name>", "module <name>", "provider <name> [address]", "trigger <name>"];
    console.error(`Usage: ${usage.map((line) => `pnpm gen ${line}`).join("\n       ")}`);
    process.exitCode = 2;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
