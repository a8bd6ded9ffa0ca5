import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { isReleased, RELEASED } from "./release/release-files.ts";

/*
 * `pnpm release:pack [--out FOLDER] [--level 1…9]`: OVEN as one file that npm installs, for the system it is made on. It holds the built server and
 * dashboard and the few libraries that are not bundled, so that installing it asks no registry.
 */
const root = join(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: { out: { type: "string", default: join(root, "release") }, level: { type: "string", default: "9" } },
});

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  dependencies?: Record<string, string>;
  [field: string]: unknown;
}

// cast: a package.json
const readManifest = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Manifest;
const writeJson = (path: string, value: unknown) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

function run(command: string, args: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync(command, args, { cwd: root, encoding: "utf8", env: { ...process.env, ...env } });
}

/** The libraries that stay packages, with what they need, as npm lays them out. */
function installLibraries(folder: string): string {
  const settings = ["--config.inject-workspace-packages=true", "--config.node-linker=hoisted"];
  run("pnpm", ["--filter", "@oven/cli", "deploy", "--prod", "--offline", ...settings, folder]);
  return join(folder, "node_modules");
}

function copyLibraries(from: string, to: string): string[] {
  const names = globSync(["*/package.json", "@*/*/package.json"], { cwd: from }).map(dirname).toSorted();
  for (const name of names) {
    const files = globSync("**", { cwd: join(from, name), withFileTypes: true }).filter((entry) => entry.isFile());
    for (const file of files) {
      const path = join(file.parentPath, file.name).slice(join(from, name).length + 1);
      if (isReleased(name, path)) cpSync(join(from, name, path), join(to, name, path));
    }
    withoutAbsent(join(to, name, "package.json"), names);
  }
  return names;
}

/** npm would ask the registry for what a library wants on other systems. */
function withoutAbsent(path: string, present: readonly string[]): void {
  const { devDependencies: _, optionalDependencies, ...manifest } = readManifest(path);
  const optional = Object.entries(optionalDependencies ?? {}).filter(([name]) => present.includes(name));
  writeJson(path, {
    ...manifest,
    ...(optional.length === 0 ? {} : { optionalDependencies: Object.fromEntries(optional) }),
  });
}

function readCommit(): string {
  const commit = run("git", ["rev-parse", "HEAD"]).trim();
  return run("git", ["status", "--porcelain"]).trim() === "" ? commit : `${commit}, changed`;
}

const { name, version, description, license } = readManifest(join(root, "package.json"));
const cli = readManifest(join(root, "apps/cli/package.json"));
const commit = existsSync(join(root, ".git")) ? readCommit() : undefined;
run("turbo", ["run", "build", "--output-logs=errors-only"], { NODE_ENV: "production", TURBO_TELEMETRY_DISABLED: "1" });

const scratch = mkdtempSync(join(tmpdir(), "oven-release-"));
const folder = join(scratch, "package");
for (const path of globSync([...RELEASED], { cwd: root }))
  cpSync(join(root, path), join(folder, path), { recursive: true });
const libraries = copyLibraries(installLibraries(join(scratch, "libraries")), join(folder, "node_modules"));
writeJson(join(folder, "package.json"), {
  ...{ name, version, description, license, type: "module" },
  bin: { oven: "apps/cli/dist/oven.mjs" },
  engines: { node: ">=24" },
  ...{ os: [process.platform], cpu: [process.arch] },
  dependencies: Object.fromEntries(
    Object.keys(cli.dependencies ?? {}).map((library) => [
      library,
      readManifest(join(folder, "node_modules", library, "package.json")).version,
    ]),
  ),
  bundleDependencies: libraries,
});
writeJson(join(folder, "release.json"), { version, commit });
chmodSync(join(folder, "apps/cli/dist/oven.mjs"), 0o755);

mkdirSync(values.out, { recursive: true });
const file = join(values.out, `${name}-${version}-${process.platform}-${process.arch}.tgz`);
const pack = [
  "--sort=name",
  "--owner=0",
  "--group=0",
  "--mtime=2026-01-01",
  `--use-compress-program=gzip -${values.level}`,
];
run("tar", [...pack, "-cf", file, "-C", scratch, "package"]);
rmSync(scratch, { recursive: true });
process.stdout.write(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB, commit ${commit ?? "unknown"}\n`);
