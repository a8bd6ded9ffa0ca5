import type { Queryable } from "./database.ts";

/** What time it is: the database's clock, so that all processes agree. */
export type Clock = () => Promise<Date>;

/**
 * The database's time, which all processes share.
 * @returns a clock that asks the database at each call
 */
export function databaseClock(db: Queryable): Clock {
  return async () => {
    const [row] = await db.query<{ now: Date }>("select clock_timestamp() as now", [], "database-clock");
    if (row === undefined) throw new Error("the database did not say what time it is");
    return row.now;
  };
}
