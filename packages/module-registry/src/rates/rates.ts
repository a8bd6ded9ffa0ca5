import type { Database } from "@oven/db";
import { TokenBuckets } from "../router/token-buckets.ts";
import { SharedBuckets } from "./shared-buckets.ts";

/** Requests a minute, each key for itself. */
export interface Rates {
  /**
   * Takes one; when there is none, the milliseconds until there is.
   * @param key what is counted together; who counts puts its own word in front
   * @param perMinute the bucket's size, and what fills in within a minute
   */
  take(key: string, perMinute: number): number | Promise<number>;
}

declare module "../define/services.ts" {
  interface ServiceMap {
    rates: Rates;
  }
}

/** One process has the embedded database and counts by itself; those that share PostgreSQL count together. */
export function createRates(db: Database): Rates {
  return db.dialect === "pglite" ? new TokenBuckets() : new SharedBuckets(db.system);
}
