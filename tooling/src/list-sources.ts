import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** TypeScript files of the repository, tracked or new but not ignored, relative to the root. */
export function listSources(root: string): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--", "*.ts", "*.tsx"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1_048_576 });
  return [...new Set(listed.split("\n"))].filter((path) => path !== "" && existsSync(join(root, path)));
}
