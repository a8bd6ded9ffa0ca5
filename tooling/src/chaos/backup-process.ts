import { makeBackup } from "../../../apps/cli/src/backup.command.ts";
import { moveDatabase } from "../../../apps/cli/src/move.command.ts";
import { restoreFile } from "../../../apps/cli/src/restore.command.ts";

/*
 * `oven backup`, `oven restore` and `oven move` as a process to be killed: backup <file> <url>, restore <file>, move <url>. Says `begun` when
 * its code is loaded, so that kills hit the work and not the loading.
 */
const [what, first = "", second = ""] = process.argv.slice(2);
await Promise.all([
  import("../../../packages/db/src/backup/index.ts"),
  import("../../../packages/installation/src/index.ts"),
]);
process.stdout.write("begun\n");
const write = (text: string): void => void process.stdout.write(text);
const environment = { ...process.env };
if (what === "backup") await makeBackup(environment, { file: first, url: second === "" ? undefined : second }, write);
else if (what === "restore") await restoreFile(environment, { file: first }, write);
else await moveDatabase(environment, first, write);
process.exit(0);
