import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import type { OvenCommand } from "./oven-command.ts";

const DOCUMENT = /\.(?:json|ya?ml)$/i;
const OPTIONS = { dir: { type: "string" }, top: { type: "string", default: "20" } } as const;

/**
 * Reads every .json, .yml and .yaml file of a folder as an import does, stores nothing, and writes how much is carried over, what is not
 * and why, how long it takes, and which files lost something. Ends with 1 if one did.
 */
export const importsCommand: OvenCommand = {
  name: "imports",
  usage:
    "imports --dir DIR [--top 20]   (what an import would carry over of a folder of other products' files; stores nothing)",
  async run(args, write) {
    const { dir, top } = parseArgs({ args, options: OPTIONS }).values;
    if (dir === undefined || !statSync(dir, { throwIfNoEntry: false })?.isDirectory())
      throw new Error("--dir must name a folder");
    if (!/^\d+$/.test(top)) throw new Error("--top must be a number");
    const { ImportMeasurement } = await import("@oven/module-workflow-formats/measure-imports");
    const measurement = new ImportMeasurement();
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !DOCUMENT.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      await measurement.add({ name: relative(dir, file), text: readFileSync(file, "utf8") });
    }
    for (const line of measurement.lines(Number(top))) write(`${line}\n`);
    return measurement.violations.length === 0 ? 0 : 1;
  },
};
