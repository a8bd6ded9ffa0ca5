import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Names a content: 16 hexadecimal digits of the names and contents of the files that match, tests apart. */
export function contentHash(patterns: readonly string[]): string {
  const hash = createHash("sha256");
  for (const name of globSync(patterns, { cwd: root, exclude: ["**/node_modules/**", "**/*.test.ts"] }).sort()) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}
