import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { formatSource, type GeneratedFile, writeFiles } from "../generated-file.ts";

const root = join(import.meta.dirname, "../../../..");

/** A copy of a package, and of single files, with what a generator has written into it. */
export interface PackageCopy {
  read(path: string): string;
  write(path: string, text: string): void;
  // biome-ignore lint/suspicious/noExplicitAny: a module of the copy
  load(path: string): Promise<any>;
  /** Runs a test of the copy as `vitest run` does. @returns its exit code, and what it has said */
  runTest(path: string): { status: number | null; output: string };
  remove(): void;
}

/**
 * @param paths the package first
 * @param generate such as `(read) => generateNode("core.shout", read)`
 */
export function copyPackage(
  paths: readonly [string, ...string[]],
  generate: (read: PackageCopy["read"]) => readonly GeneratedFile[],
): PackageCopy {
  const copy = mkdtempSync(join(tmpdir(), "oven-generated-"));
  for (const path of paths)
    cpSync(join(root, path), join(copy, path), {
      recursive: true,
      filter: (from) => basename(from) !== "node_modules",
    });
  for (const path of [`${paths[0]}/node_modules`, "node_modules", "tooling"])
    symlinkSync(join(root, path), join(copy, path));
  const read = (path: string) => readFileSync(join(copy, path), "utf8");
  writeFiles(
    copy,
    generate(read).map((file) => ({ ...file, text: formatSource(root, file) })),
  );
  return {
    read,
    write: (path, text) => writeFileSync(join(copy, path), text),
    load: (path) => import(pathToFileURL(join(copy, path)).href),
    runTest(path) {
      const args = ["run", path, "--root", copy, "--config", join(root, "vitest.config.ts")];
      const { status, stdout, stderr } = spawnSync(join(root, "node_modules/.bin/vitest"), args, {
        cwd: copy,
        encoding: "utf8",
      });
      return { status, output: `${stdout}${stderr}` };
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
