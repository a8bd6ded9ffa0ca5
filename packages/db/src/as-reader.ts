import type { Queryable } from "./database.ts";

/** Lets what runs in a transaction see one instant, and write nothing. */
export function asReader<T>(work: (tx: Queryable) => Promise<T>): (tx: Queryable) => Promise<T> {
  return async (tx) => {
    await tx.query("set transaction isolation level repeatable read, read only");
    return work(tx);
  };
}
