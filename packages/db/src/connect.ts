import { OvenError } from "@oven/contract";
import type { Database } from "./database.ts";
import { isNeonUrl, toDirectNeonUrl } from "./neon-url.ts";
import { openPglite } from "./pglite-database.ts";
import { openPostgres, type PostgresOptions } from "./postgres-database.ts";

export interface ConnectOptions {
  url: string | undefined;
  /** The same database without a pooler between; default: `url`. */
  directUrl?: string | undefined;
  dataDir: string;
}

/**
 * PostgreSQL when a URL is given (a Neon one over WebSockets), else the embedded database in the data directory.
 * @throws OvenError DATABASE_UNREACHABLE, DATA_DIR_LOCKED, DATA_DIR_UNUSABLE
 */
export async function connectDatabase({ url, directUrl, dataDir }: ConnectOptions): Promise<Database> {
  if (url === undefined) return openPglite(dataDir);
  try {
    return await openPostgres(await optionsFor(url, directUrl));
  } catch (error) {
    throw new OvenError("DATABASE_UNREACHABLE", `PostgreSQL at DATABASE_URL cannot be used: ${messageOf(error)}`, {
      status: 503,
      fix: "Check DATABASE_URL and that the server is running, or unset it to use the embedded database.",
      cause: error,
    });
  }
}

async function optionsFor(url: string, directUrl: string | undefined): Promise<PostgresOptions> {
  if (!isNeonUrl(url)) return { connectionString: url, directUrl };
  // Loaded for Neon only: a second driver costs start-up time.
  const { NEON } = await import("./neon-driver.ts");
  return { connectionString: url, directUrl: directUrl ?? toDirectNeonUrl(url), driver: NEON };
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
