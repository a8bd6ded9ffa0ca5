import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/*
 * `pnpm migrations [name] [package]`: writes what changed in the package's src/schema.ts, or in that of each package, as a new SQL
 * migration into packages/<package>/migrations. Applied at start; never edited afterwards.
 */
const root = join(import.meta.dirname, "../..");
const [label, only] = process.argv.slice(2);

for (const name of only === undefined ? readdirSync(join(root, "packages")) : [only]) {
  const schema = join("packages", name, "src/schema.ts");
  if (!existsSync(join(root, schema))) continue;
  const args = [
    "generate",
    "--dialect",
    "postgresql",
    "--schema",
    schema,
    "--out",
    join("packages", name, "migrations"),
  ];
  execFileSync("drizzle-kit", [...args, ...(label === undefined ? [] : ["--name", label])], {
    cwd: root,
    stdio: "inherit",
  });
}
