import type { Database } from "@oven/db";
import { expect } from "vitest";

/** Lets tables refuse one after the other, and looks that nothing is left of a change that was refused. */
export class Faults {
  readonly #db: Database;
  readonly #tables: readonly string[];

  private constructor(db: Database, tables: readonly string[]) {
    this.#db = db;
    this.#tables = tables;
  }

  /** @param tables every table that a change writes, of this module and of others */
  static async among(db: Database, tables: readonly string[]): Promise<Faults> {
    await db.query(
      "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$",
    );
    return new Faults(db, tables);
  }

  /** @param tables those that the change writes; absent: all */
  async leaveNothingOf(change: () => Promise<unknown>, tables: readonly string[] = this.#tables): Promise<void> {
    const before = await this.#state();
    for (const table of tables) {
      await this.#db.query(
        `create trigger refuse before insert or update or delete on ${table} for each row execute function refuse()`,
      );
      await expect(change(), table).rejects.toThrow();
      await this.#db.query(`drop trigger refuse on ${table}`);
      expect(await this.#state(), `half of it is there when ${table} refuses`).toEqual(before);
    }
  }

  async #state(): Promise<object> {
    const rows = this.#tables.map(async (table) => [table, await this.#db.query(`select * from ${table} order by 1`)]);
    return Object.fromEntries(await Promise.all(rows));
  }
}
