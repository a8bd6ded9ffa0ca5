import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packClient } from "./client/pack-client.ts";

/* `pnpm client:pack [--out FOLDER]`: the TypeScript client as one file that npm installs. */
const { values } = parseArgs({
  options: { out: { type: "string", default: join(import.meta.dirname, "../../release") } },
});
const file = await packClient(values.out);
process.stdout.write(`${file} (${Math.round(statSync(file).size / 1_000)} kB)\n`);
