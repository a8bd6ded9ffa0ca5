import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundlePrograms } from "./release/bundle-programs.ts";
import { addLibrary, licensesOf } from "./release/licenses.ts";

/*
 * The server, the worker and the command line as a few files of JavaScript in `apps/cli/dist`, which Node loads in a fraction of the time
 * that the two thousand files of source and libraries take. Run by `turbo run build` as the build of `@oven/cli`.
 */
const root = join(import.meta.dirname, "../..");
const OUTPUT = join(root, "apps/cli/dist");

rmSync(OUTPUT, { recursive: true, force: true });
const libraries = new Set<string>();
for (const id of await bundlePrograms({ oven: join(root, "apps/cli/src/oven.ts") }, OUTPUT)) addLibrary(id, libraries);
writeFileSync(join(OUTPUT, "LICENSES.txt"), licensesOf([...libraries]));
