import { OvenError } from "@oven/contract";
import type { Database } from "./database.ts";
import { openPglite } from "./pglite-database.ts";
import { openPostgres } from "./postgres-database.ts";

/**
 * PostgreSQL when a URL is given, else the embedded database in the data directory.
 * @throws OvenError DATABASE_UNREACHABLE, DATA_DIR_LOCKED
 */
export async function connectDatabase(options: { url: string | undefined; dataDir: string }): Promise<Database> {
  if (options.url === undefined) return openPglite(options.dataDir);
  try {
    return await openPostgres({ connectionString: options.url });
  } catch (error) {
    throw new OvenError("DATABASE_UNREACHABLE", `PostgreSQL at DATABASE_URL cannot be used: ${messageOf(error)}`, {
      status: 503,
      fix: "Check DATABASE_URL and that the server is running, or unset it to use the embedded database.",
      cause: error,
    });
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
