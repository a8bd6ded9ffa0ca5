import { isOvenError } from "@oven/contract";
import { type Database, listPending, type Queryable } from "@oven/db";
import { installedModules } from "@oven/installation";
import type { readDatabaseSettings } from "@oven/installation/environment";
import { type ModuleDefinition, migrationSetsOf } from "@oven/module-registry";
import { findFailedDeliveries, noteOnQueue } from "./find-backlog.ts";
import { findBackups } from "./find-backups.ts";
import { findClock, findPlace, findPooler } from "./find-place.ts";
import { findSecretProblems } from "./find-secret.ts";
import { findSettings } from "./find-settings.ts";
import { type Finding, ofInstallation } from "./finding.ts";

/** What the server is started with. */
export interface DiagnosedEnvironment extends ReturnType<typeof readDatabaseSettings> {
  variables: Readonly<Record<string, string | undefined>>;
  /** Undefined when it is not at hand. */
  secret: string | undefined;
}

/** Settings, disk, files, clocks, poolers and the store of backups. */
export async function findAround(db: Database, environment: DiagnosedEnvironment): Promise<Finding[]> {
  const { variables, dataDir, databaseUrl } = environment;
  const modules = installedModules({ demo: true });
  const declared = modules.flatMap((module) => module.variables);
  return [
    ...findSettings(variables, declared, environment),
    ...(databaseUrl === undefined ? await findPlace(dataDir) : []),
    ...(databaseUrl === undefined ? [] : await findClock(db)),
    ...(await findPooler(db)),
    ...(await findBackups(variables, modules)),
  ];
}

/** Migrations, the secret, deliveries and the queue, as the database has them. */
export async function findWithin(
  db: Queryable,
  modules: readonly ModuleDefinition[],
  { secret, previousSecrets }: DiagnosedEnvironment,
): Promise<{ findings: Finding[]; notes: string[] }> {
  const migrations = await findMigrations(db, modules);
  return {
    findings: [
      ...migrations.findings,
      ...(await findSecretProblems(db, secret, previousSecrets)),
      ...(await findFailedDeliveries(db)),
    ],
    notes: [...migrations.notes, ...(await noteOnQueue(db))],
  };
}

async function findMigrations(db: Queryable, modules: readonly ModuleDefinition[]) {
  try {
    const pending = await listPending(db, migrationSetsOf(modules));
    const many = pending.length === 1 ? "One migration" : `${pending.length} migrations`;
    const notes = pending.length === 0 ? [] : [`${many} to come at the next start: ${pending.join(", ")}.`];
    return { findings: [], notes };
  } catch (error) {
    if (!isOvenError(error) || error.code !== "DATABASE_NEWER") throw error;
    return { findings: [ofInstallation("migrations", "DATABASE_NEWER", error.message, error.fix ?? "")], notes: [] };
  }
}
