import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listSources } from "../list-sources.ts";
import { findViolations } from "./find-violations.ts";

const root = join(import.meta.dirname, "../../..");
process.chdir(root);
const violations = listSources(root).flatMap((path) => findViolations(path, readFileSync(path, "utf8")));
for (const violation of violations) console.error(violation);
process.exitCode = violations.length === 0 ? 0 : 1;
