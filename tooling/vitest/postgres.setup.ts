import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestProject } from "vitest/node";
import { makeMigratedDatabases } from "./migrated-databases.ts";

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
    return makeMigratedDatabases(given);
  }
  const server = spawn(process.execPath, [join(import.meta.dirname, "postgres-server.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  const started = once(createInterface(server.stdout), "line");
  const [url] = await Promise.race([
    started,
    exited.then(([code]) => {
      throw new Error(`PostgreSQL for the tests did not start: exit code ${code}`);
    }),
  ]);
  project.provide("postgresUrl", String(url));
  const removeDatabases = await makeMigratedDatabases(String(url));
  return async () => {
    await removeDatabases();
    server.stdin.end();
    await exited;
  };
}
