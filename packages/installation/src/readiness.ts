import type { Readiness } from "@oven/contract/system";
import { createPendingMigrations, type Database, isConnectionLost, type MigrationSet } from "@oven/db";

/** Probes come from several sides at once; each costs the database two statements. */
const FRESH_MS = 1_000;

type Stores = Pick<Readiness, "database" | "migrations">;

/**
 * Whether the database answers and has the migrations of this version; asked at most once a second.
 * @param now milliseconds
 */
export function createStoresCheck(
  db: Pick<Database, "isReachable" | "system">,
  sets: readonly MigrationSet[],
  now: () => number = Date.now,
): () => Promise<Stores> {
  const pending = createPendingMigrations(sets);
  const look = async (): Promise<Stores> => {
    if (!(await db.isReachable())) return { database: false, migrations: false };
    try {
      return { database: true, migrations: (await pending(db.system)).length === 0 };
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      return { database: false, migrations: false };
    }
  };
  let latest: { at: number; stores: Promise<Stores> } | undefined;
  return async () => {
    if (latest === undefined || now() - latest.at >= FRESH_MS) {
      const asked = { at: now(), stores: look() };
      latest = asked;
      // What could not be found out is asked anew; the error goes to who asked.
      asked.stores.catch(() => {
        if (latest === asked) latest = undefined;
      });
    }
    return latest.stores;
  };
}
