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

const scope = new AsyncLocalStorage<Joint>();
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
  const database: Database = {
    ...plain,
    get orm() {
      return current()?.tx.orm ?? plain.orm;
    },
    get isJoint() {
      return current() !== undefined;
    },
    get system() {
      return system ?? database;
    },
    query: (sql, params, name) => current()?.tx.query(sql, params) ?? plain.query(sql, params, name),
    transaction: (work) => {
      const joint = current();
      return joint === undefined ? plain.transaction(work) : within(joint, work);
    },
    jointly: (work) => {
      if (current() !== undefined) return work();
      return plain.transaction(async (tx) => {
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
