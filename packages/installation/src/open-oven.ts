import { OVEN_VERSION } from "@oven/contract";
import type { Readiness } from "@oven/contract/system";
import { connectDatabase, type Database, makeDataDirPrivate } from "@oven/db";
import { createRuntime, migrationSetsOf, type Runtime, readVariables } from "@oven/module-registry";
import { setGlobalRuntime } from "@oven/module-registry/global";
import { type InstallationEnvironment, secretsOf } from "./environment.ts";
import { installedModules } from "./modules.ts";
import { createStoresCheck } from "./readiness.ts";
import { redactConsole } from "./redacted-console.ts";
import { startTelemetry, type TelemetryExport } from "./telemetry.ts";

export interface Oven {
  runtime: Runtime;
  /** Whether the database answers. */
  isReady(): Promise<boolean>;
  /** Whether the process can serve. @param draining whether it was asked to stop */
  readiness(draining: boolean): Promise<Readiness>;
  close(): Promise<void>;
}

/** A receiver of spans that does not answer must not hold the process up. */
const TELEMETRY_STOP_MS = 1_000;

/** Any constant: the key of the advisory lock under which one process at a time makes and seeds what is missing. */
const START_KEY = 7_358_120_012;

/**
 * Opens the database and the one runtime of this process, and makes it known to the dashboard's catch-all route.
 * @throws OvenError INVALID_ENVIRONMENT, DATABASE_UNREACHABLE, DATABASE_NEWER, DATA_DIR_LOCKED
 */
export async function openOven(given: InstallationEnvironment): Promise<Oven> {
  const { processVariables, ...settings } = given;
  const { databaseUrl, databaseUrlDirect, dataDir } = settings;
  const modules = installedModules(settings);
  const environment = { ...settings, variables: readVariables(modules, processVariables) };
  makeDataDirPrivate(dataDir);
  const db = await connectDatabase({ url: databaseUrl, directUrl: databaseUrlDirect, dataDir });
  const telemetry = await startTelemetry(process.env, OVEN_VERSION);
  let runtime: Runtime;
  try {
    runtime = await oneAtATime(db, () => createRuntime({ db, modules, environment }));
  } catch (error) {
    await stopTelemetry(telemetry);
    await db.close();
    throw error;
  }
  setGlobalRuntime(runtime);
  const storesCheck = createStoresCheck(db, migrationSetsOf(modules));
  const endRedaction = redactConsole(runtime.services.secrets.redactText, secretsOf(given, modules), given.logFormat);
  return {
    runtime,
    isReady: () => db.isReachable(),
    readiness: async (draining) => {
      const stores = await storesCheck();
      return { ready: stores.database && stores.migrations && !draining, ...stores, draining };
    },
    close: async () => {
      setGlobalRuntime(undefined);
      await runtime.stop();
      await stopTelemetry(telemetry);
      await db.close();
      endRedaction();
    },
  };
}

/** Processes that start together on an empty database would seed the same rows. */
async function oneAtATime<T>(db: Database, work: () => Promise<T>): Promise<T> {
  if (db.dialect === "pglite") return work();
  return db.transaction(async (lock) => {
    await lock.query("select pg_advisory_xact_lock($1)", [START_KEY]);
    return work();
  });
}

async function stopTelemetry(telemetry: TelemetryExport | undefined): Promise<void> {
  if (telemetry === undefined) return;
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, TELEMETRY_STOP_MS);
  try {
    await Promise.race([telemetry.stop(), late.promise]);
  } catch (error) {
    console.warn(`the last spans were not sent: ${String(error)}`);
  } finally {
    clearTimeout(timer);
  }
}
