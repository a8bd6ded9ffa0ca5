import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import type { Database } from "./database.ts";
import { openPostgres } from "./postgres-database.ts";
import { withinTenant } from "./tenant-scope.ts";
import { createTestPostgres } from "./testing.ts";

const serverUrl: string = inject("postgresUrl");

describe("statements that are asked again and again", () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  /** On one connection, so that it can be asked what it has prepared. */
  async function open(given: { isPooled: boolean }): Promise<Database> {
    const { url, drop } = await createTestPostgres(serverUrl, { migrated: false });
    closers.push(drop);
    const directUrl = given.isPooled ? `${url}?application_name=direct` : url;
    const db = await openPostgres({ connectionString: url, directUrl, poolSize: 1 });
    closers.push(() => db.close());
    await db.query("create table notes (id serial primary key, tenant_id integer not null, text text)");
    await db.query("insert into notes (tenant_id, text) values (0, 'shared'), (1, 'one'), (2, 'two')");
    await db.enableRowLevelSecurity();
    return db;
  }

  const prepared = async (db: Database) => {
    const rows = await db.query<{ name: string }>("select name from pg_prepared_statements order by name");
    return rows.map(({ name }) => name);
  };
  const texts = (rows: Record<string, unknown>[]) => rows.map(({ text }) => text).sort();
  const QUERY = "select text from notes where id > $1";

  it("are prepared once, with and without row-level security, and hold each tenant to its own rows", async () => {
    const db = await open({ isPooled: false });
    for (let round = 0; round < 10; round += 1) {
      expect(texts(await withinTenant(1, () => db.query(QUERY, [0])))).toEqual(["one", "shared"]);
      expect(texts(await db.query(QUERY, [0]))).toEqual(["one", "shared", "two"]);
      expect(texts(await withinTenant(2, () => db.transaction((tx) => tx.query(QUERY, [0]))))).toEqual([
        "shared",
        "two",
      ]);
      const built = async () => {
        const answer = await db.orm.execute(sql`select text from notes where id > ${1}`);
        return (answer as unknown as { rows: Record<string, unknown>[] }).rows; // cast: the row kind differs by driver only
      };
      expect(texts(await withinTenant(1, built))).toEqual(["one"]);
    }
    expect(await prepared(db)).toEqual(["frequent-1", "frequent-1t", "oven_context"]);
  });

  it("go on after one of them failed, and after a transaction was rolled back", async () => {
    const db = await open({ isPooled: false });
    const divide = (by: number) => db.query<{ half: number }>("select 1 / $1::integer as half", [by]);
    for (let round = 0; round < 10; round += 1) {
      await expect(divide(0)).rejects.toThrow("division by zero");
      expect(await divide(1)).toEqual([{ half: 1 }]);
      await expect(withinTenant(1, () => divide(0))).rejects.toThrow("division by zero");
      expect(await withinTenant(1, () => divide(1))).toEqual([{ half: 1 }]);
      await expect(withinTenant(1, () => db.query("select no_column from notes"))).rejects.toThrow("no_column");
      const within = withinTenant(1, () =>
        db.transaction(async (tx) => {
          await tx.query(QUERY, [0]);
          throw new Error("given up");
        }),
      );
      await expect(within).rejects.toThrow("given up");
      expect(texts(await db.query(QUERY, [0]))).toEqual(["one", "shared", "two"]);
    }
  });

  it("are sent whole each time where a pooler gives each of them another session", async () => {
    const db = await open({ isPooled: true });
    for (let round = 0; round < 10; round += 1) {
      expect(texts(await db.query(QUERY, [0]))).toEqual(["one", "shared", "two"]);
      expect(texts(await withinTenant(2, () => db.query(QUERY, [0])))).toEqual(["shared", "two"]);
    }
    expect(await prepared(db)).toEqual([]);
  });
});
