import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestProject } from "vitest/node";
import { programFile } from "../../packages/testing/src/program-file.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { findSnapshot, removeOldSnapshots } from "./snapshot-cache.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of a PostgreSQL server for this test run. A file that reads it names it, by which the run knows that one is needed. */
    postgresUrl: string;
  }
}

/**
 * Gives the run's processes the databases that tests begin with: the embedded one, made once for each content of the migrations,
 * and, when one of the run's files asks for it, a PostgreSQL server with a template: a real one of its own, or the one named by
 * OVEN_TEST_POSTGRES_URL.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { file, exists } = findSnapshot();
  if (!exists) {
    const { writeMigratedSnapshot } = await loadMakers();
    await writeMigratedSnapshot(file);
    removeOldSnapshots();
  }
  process.env.OVEN_TEST_SNAPSHOT = file;
  if (!asksForPostgres(project)) return async () => {};
  const { url, stop } = await openServer();
  project.provide("postgresUrl", url);
  const { makeTemplate } = await loadMakers();
  const { name, drop } = await makeTemplate(url);
  process.env.OVEN_TEST_TEMPLATE = name;
  return async () => {
    await drop();
    await stop();
  };
}

/** All modules are loaded for their migrations: from a few files, where the run has bundled its programs anyway. */
async function loadMakers(): Promise<typeof import("./migrated-databases.ts")> {
  return import(pathToFileURL(programFile(join(import.meta.dirname, "migrated-databases.ts"))).href);
}

/** While it watches, a later run has other files. */
function asksForPostgres({ vitest }: TestProject): boolean {
  return (
    vitest.config.watch || vitest.state.getPaths().some((path) => readFileSync(path, "utf8").includes("postgresUrl"))
  );
}

async function openServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.OVEN_TEST_POSTGRES_URL;
  if (given !== undefined) return { url: given, stop: async () => {} };
  return startPostgres({ durable: false });
}
