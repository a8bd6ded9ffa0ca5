import { AsyncLocalStorage } from "node:async_hooks";
import type { Database, Transaction } from "./database.ts";

interface Joint {
  /** Which database the transaction is of: others go on by themselves. */
  of: object;
  tx: Transaction;
  /** Work that outlives the transaction goes on outside of it. */
  ended: boolean;
  /** The savepoint opened last: one at a time, for they lie within each other. */
  last: Promise<unknown>;
}

interface Open {
  of: object;
  ended: boolean;
}

const scope = new AsyncLocalStorage<Joint>();
/** The transaction that the embedded database's one connection is in, for what runs within it. */
const open = new AsyncLocalStorage<Open>();
let savepoints = 0;

/** A database before it can join what several services write. */
export type PlainDatabase = Omit<Database, "jointly" | "isJoint" | "system">;

/**
 * Adds `jointly`: within it, everything that goes through the database belongs to one transaction, and a transaction is a
 * savepoint of it, so that services keep their own and are all or nothing together.
 * @param of the same object for all faces of one database
 * @param system the database without row-level security; absent: this one has none
 */
export function joinable(plain: PlainDatabase, of: object, system?: Database): Database {
  const current = (): Joint | undefined => {
    const joint = scope.getStore();
    return joint === undefined || joint.ended || joint.of !== of ? undefined : joint;
  };
  // What waits for the one connection while it holds it would wait for ever, and everyone else with it.
  const requireFree = (): void => {
    const transaction = open.getStore();
    if (plain.dialect !== "pglite" || transaction === undefined || transaction.ended || transaction.of !== of) return;
    throw new Error("This query would wait for the transaction that it is made in. Use the transaction's own `tx`.");
  };
  const begin: Database["transaction"] = async (work) => {
    requireFree();
    return plain.transaction(async (tx) => {
      const transaction = { of, ended: false };
      try {
        return await open.run(transaction, () => work(tx));
      } finally {
        transaction.ended = true;
      }
    });
  };
  const database: Database = {
    ...plain,
    get orm() {
      const joint = current();
      if (joint !== undefined) return joint.tx.orm;
      requireFree();
      return plain.orm;
    },
    get isJoint() {
      return current() !== undefined;
    },
    get system() {
      return system ?? database;
    },
    query: async (sql, params, name) => {
      const joint = current();
      if (joint !== undefined) return joint.tx.query(sql, params);
      requireFree();
      return plain.query(sql, params, name);
    },
    queries: async (statements) => {
      requireFree();
      return plain.queries(statements);
    },
    batch: async (calls) => {
      requireFree();
      return plain.batch(calls);
    },
    transaction: async (work) => {
      const joint = current();
      return joint === undefined ? begin(work) : within(joint, work);
    },
    jointly: async (work) => {
      if (current() !== undefined) return work();
      return begin(async (tx) => {
        const joint: Joint = { of, tx, ended: false, last: Promise.resolve() };
        try {
          return await scope.run(joint, work);
        } finally {
          joint.ended = true;
        }
      });
    },
  };
  return database;
}

function within<T>(joint: Joint, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { of, tx } = joint;
  const next = joint.last.then(async () => {
    const savepoint = `joint_${++savepoints}`;
    await tx.query(`savepoint ${savepoint}`);
    const inner: Joint = { of, tx, ended: false, last: Promise.resolve() };
    try {
      const result = await scope.run(inner, () => work(tx));
      await tx.query(`release savepoint ${savepoint}`);
      return result;
    } catch (error) {
      await tx.query(`rollback to savepoint ${savepoint}`);
      throw error;
    } finally {
      inner.ended = true;
    }
  });
  joint.last = next.then(
    () => undefined,
    () => undefined,
  );
  return next;
}
