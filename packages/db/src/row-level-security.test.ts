import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import type { Database } from "./database.ts";
import { openPostgres } from "./postgres-database.ts";
import { outsideTenants, withinTenant } from "./tenant-scope.ts";
import { createTestPostgres } from "./testing.ts";

const serverUrl: string = inject("postgresUrl");

describe("row-level security", () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  /** As the user that the test server's superuser makes for it, or as the superuser. */
  async function open(role?: { name: string; options: string }): Promise<Database> {
    const { url, drop } = await createTestPostgres(serverUrl, { migrated: false });
    closers.push(drop);
    const connectionString = new URL(url);
    if (role !== undefined) {
      const admin = await openPostgres({ connectionString: url });
      await admin.query(`create role ${role.name} login password 'plain' ${role.options}`);
      await admin.query(`alter schema public owner to ${role.name}`);
      await admin.close();
      connectionString.username = role.name;
      connectionString.password = "plain";
      closers.push(async () => {
        const cleaner = await openPostgres({ connectionString: serverUrl });
        await cleaner.query(`drop role ${role.name}`);
        await cleaner.close();
      });
      closers.reverse();
    }
    const db = await openPostgres({ connectionString: connectionString.toString(), poolSize: 3 });
    closers.push(() => db.close());
    await db.query("create table notes (id serial primary key, tenant_id integer not null, text text)");
    await db.query("insert into notes (tenant_id, text) values (0, 'shared'), (1, 'one'), (2, 'two')");
    return db;
  }

  const texts = (rows: Record<string, unknown>[]) => rows.map(({ text }) => text).sort();
  const ALL = "select text from notes";

  const owner = { name: `owner_${process.pid}`, options: "createrole" };
  it.each([
    ["a superuser", undefined],
    ["an owner who may make roles", owner],
  ])("holds what forgets its tenant, for %s", async (_name, role) => {
    const db = await open(role);
    expect(texts(await withinTenant(1, () => db.query(ALL)))).toEqual(["one", "shared", "two"]);
    await db.enableRowLevelSecurity();
    expect(texts(await db.query(ALL))).toEqual(["one", "shared", "two"]);
    await withinTenant(1, async () => {
      expect(texts(await db.query(ALL, [], "all-notes"))).toEqual(["one", "shared"]);
      expect(texts(await db.transaction((tx) => tx.query(ALL)))).toEqual(["one", "shared"]);
      expect(texts(await db.system.query(ALL))).toEqual(["one", "shared", "two"]);
      expect(texts(await outsideTenants(() => db.query(ALL)))).toEqual(["one", "shared", "two"]);
      expect(await db.query("update notes set text = 'mine' where tenant_id = 2 returning id")).toEqual([]);
      expect(await db.query("delete from notes where tenant_id = 2 returning id")).toEqual([]);
      await expect(db.query("insert into notes (tenant_id, text) values (2, 'forged')")).rejects.toThrow(
        "row-level security",
      );
      await expect(db.query("update notes set tenant_id = 2 where text = 'one'")).rejects.toThrow("row-level security");
      await db.query("insert into notes (tenant_id, text) values (1, 'new')");
    });
    expect(texts(await withinTenant(2, () => db.query(ALL)))).toEqual(["shared", "two"]);
    expect(texts(await db.query(ALL))).toEqual(["new", "one", "shared", "two"]);
  });

  it("holds the query builder too, and many at once on few connections", async () => {
    const db = await open();
    await db.enableRowLevelSecurity();
    const seen = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const tenant = index % 3;
        const rows = () => db.orm.execute(sql.raw(ALL)) as unknown as Promise<{ rows: Record<string, unknown>[] }>;
        return tenant === 0
          ? rows().then((answer) => [tenant, texts(answer.rows)])
          : withinTenant(tenant, async () => [tenant, texts((await rows()).rows)]);
      }),
    );
    const expected = [
      ["one", "shared", "two"],
      ["one", "shared"],
      ["shared", "two"],
    ];
    for (const [tenant, found] of seen) expect(found).toEqual(expected[Number(tenant)]);
  });

  it("takes in tables that come later, and leaves those that have no tenant", async () => {
    const db = await open();
    await db.enableRowLevelSecurity();
    await db.query("create table tasks (id bigint generated always as identity, tenant_id integer not null)");
    await db.query("insert into tasks (tenant_id) values (1), (2)");
    await expect(withinTenant(1, () => db.query("select * from tasks"))).rejects.toThrow("permission denied");
    await db.enableRowLevelSecurity();
    expect(await withinTenant(1, () => db.query("select tenant_id from tasks"))).toEqual([{ tenant_id: 1 }]);
    await withinTenant(1, () => db.query("insert into tasks (tenant_id) values (1)"));
  });

  it("is left out with a warning where the user may not make roles", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const db = await open({ name: `plain_${process.pid}`, options: "nocreaterole" });
    await db.enableRowLevelSecurity();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("row-level security is off"));
    expect(texts(await withinTenant(1, () => db.query(ALL)))).toEqual(["one", "shared", "two"]);
    warn.mockRestore();
  });
});
