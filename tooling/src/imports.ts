import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { ImportMeasurement } from "../../packages/module-workflow-formats/src/importing/testing/measure-imports.ts";

/*
 * `pnpm imports --dir DIR [--top 20]`: reads every .json, .yml and .yaml file of a folder as an import does, stores nothing, and prints
 * how much is carried over, what is not and why, how long it takes, and which files lost something. It ends with 1 if one did.
 */
const option = (name: string): string | undefined => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? undefined : process.argv[position + 1];
};
const dir = option("dir");
const top = Number(option("top") ?? 20);
if (dir === undefined || !statSync(dir, { throwIfNoEntry: false })?.isDirectory() || !Number.isInteger(top)) {
  console.error("Usage: pnpm imports --dir DIR [--top 20]");
  process.exit(2);
}
const measurement = new ImportMeasurement();
for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(?:json|ya?ml)$/i.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  await measurement.add({ name: relative(dir, file), text: readFileSync(file, "utf8") });
}
for (const line of measurement.lines(top)) process.stdout.write(`${line}\n`);
process.exit(measurement.violations.length === 0 ? 0 : 1);
