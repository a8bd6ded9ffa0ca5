import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedModules } from "../../../packages/installation/src/modules.ts";
import { toNodeReference } from "./node-page.ts";

/* `pnpm node-reference`: writes docs/nodes from the nodes that this installation registers. */
const folder = join(import.meta.dirname, "../../../docs/nodes");
const pages = toNodeReference(installedModules({ demo: true }));
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) {
  if (!pages.some((page) => page.file === file)) rmSync(join(folder, file));
}
for (const { file, text } of pages) writeFileSync(join(folder, file), text);
process.stdout.write(`docs/nodes: ${pages.length} pages\n`);
