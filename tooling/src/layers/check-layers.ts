import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listSources } from "../list-sources.ts";
import { findCycles } from "./find-cycles.ts";
import { findPartViolations } from "./find-part-violations.ts";
import { findViolations } from "./find-violations.ts";

const root = join(import.meta.dirname, "../../..");
process.chdir(root);
const sources = new Map(listSources(root).map((path) => [path, readFileSync(path, "utf8")]));
const cycles = findCycles(sources).map((paths) => `${paths.join(", ")}: import each other's values`);
const violations = [
  ...[...sources].flatMap(([path, source]) => findViolations(path, source)),
  ...cycles,
  ...findPartViolations(sources),
];
for (const violation of violations) console.error(violation);
process.exitCode = violations.length === 0 ? 0 : 1;
