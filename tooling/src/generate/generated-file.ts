import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file as a generator wants it; `path` is relative to the root. */
export interface GeneratedFile {
  path: string;
  text: string;
  /** `new` files must not exist yet; `changed` ones are written over. */
  kind: "new" | "changed";
}

/** The text as `pnpm check` wants it: formatted, imports in order. `path` decides the language. */
export function formatSource(root: string, { path, text }: GeneratedFile): string {
  if (path.endsWith(".md")) return text;
  const args = ["check", "--write", `--stdin-file-path=${path}`];
  const result = spawnSync(join(root, "node_modules/.bin/biome"), args, { cwd: root, input: text, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`biome refuses ${path}: ${result.stderr || String(result.error)}`);
  return result.stdout;
}

/** Writes all files or, when one of the new ones exists already, none. */
export function writeFiles(root: string, files: readonly GeneratedFile[]): void {
  const existing = files.filter(({ kind, path }) => kind === "new" && existsSync(join(root, path)));
  if (existing.length > 0) throw new Error(`${existing.map(({ path }) => path).join(", ")}: exists already`);
  for (const { path, text } of files) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
