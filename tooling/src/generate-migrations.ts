import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/*
 * `pnpm migrations [name] [package]`: writes what changed in the schema.ts files of the package, or of each package, as a new SQL
 * migration into packages/<package>/migrations. Applied at start; never edited afterwards.
 */
const root = join(import.meta.dirname, "../..");
const [label, only] = process.argv.slice(2);

for (const name of only === undefined ? readdirSync(join(root, "packages")) : [only]) {
  if (!existsSync(join(root, "packages", name, "src/schema.ts"))) continue;
  const args = [
    "generate",
    "--dialect",
    "postgresql",
    "--schema",
    join("packages", name, "src/**/schema.ts"),
    "--out",
    join("packages", name, "migrations"),
  ];
  execFileSync("drizzle-kit", [...args, ...(label === undefined ? [] : ["--name", label])], {
    cwd: root,
    stdio: "inherit",
  });
}
