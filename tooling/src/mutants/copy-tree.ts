import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * Copies the working tree, tracked and new files, to `target`. Installed packages are linked to, but the repository's own
 * packages are those of the copy, so that an edit there is what its tests see.
 */
export function copyTree(root: string, target: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1_048_576,
  });
  for (const path of listed.split("\0")) {
    if (path === "" || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, path), join(target, path));
  }
  const own = ["apps", "packages"].flatMap((folder) =>
    readdirSync(join(target, folder)).map((name) => `${folder}/${name}`),
  );
  for (const folder of ["", ...own]) linkPackages(root, target, folder);
}

function linkPackages(root: string, target: string, folder: string): void {
  const from = join(root, folder, "node_modules");
  if (!existsSync(from)) return;
  const names = readdirSync(from).filter((name) => name === ".bin" || !name.startsWith("."));
  const all = names.flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(from, name)).map((scoped) => `${name}/${scoped}`) : [name],
  );
  for (const name of all) {
    const link = join(target, folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    const real = realpathSync(join(from, name));
    const inside = relative(realpathSync(root), real);
    symlinkSync(/^(apps|packages)\/[^/]+$/.test(inside) ? join(target, inside) : real, link);
  }
}
