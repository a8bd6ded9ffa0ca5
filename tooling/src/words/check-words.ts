import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findRetiredWords } from "./find-retired-words.ts";

/*
 * Refuses words that the glossary has replaced, in names, comments, docs and texts of screens. Not read: the list itself, what is
 * history (changelog), and generated files.
 */
const root = join(import.meta.dirname, "../../..");
const NOT_READ = ["tooling/src/words/", "CHANGELOG.md", "docs/requirements/", "docs/images/"];

const tracked = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.md", "packages/i18n/src/*.json"], {
  cwd: root,
  encoding: "utf8",
});
const paths = tracked
  .split("\n")
  .filter((path) => existsSync(join(root, path)) && path !== "" && !NOT_READ.some((start) => path.startsWith(start)));
const found = paths.flatMap((path) => findRetiredWords(path, readFileSync(join(root, path), "utf8")));
for (const line of found) console.error(line);
process.exitCode = found.length === 0 ? 0 : 1;
