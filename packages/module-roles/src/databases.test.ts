import { readFileSync } from "node:fs";
import { testDatabases } from "@oven/db/testing";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { startAccess } from "./testing/start-access.ts";

describe.each(testDatabases(inject("postgresUrl")))("access on $name", ({ name, open }) => {
  let database: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.close());

  it("invites, gives roles, makes keys, writes down and keeps the last owner", async () => {
    const { db } = database;
    const access = await startAccess({ db });
    const { owner, call } = access;
    const otto = await access.join("otto", ["owner", "auditor"]);
    const { key } = (
      await call("POST", "api-keys", {
        cookie: otto.cookie,
        body: { name: "k", permissions: ["*"], workflows: ["workflow:7"] },
      })
    ).body;
    expect((await call("POST", "workflows/7/execute", { key, body: {} })).status).toBe(204);
    expect((await call("GET", "users", { key })).status).toBe(403);
    expect((await call("GET", "users", { cookie: owner.cookie })).body).toMatchObject([
      { roles: ["owner"] },
      { roles: ["auditor", "owner"], lastSignInAt: expect.any(String) },
    ]);
    const demote = (cookie: string, id: number) => call("PUT", `users/${id}`, { cookie, body: { roles: [] } });
    const both = await Promise.all([demote(owner.cookie, otto.id), demote(otto.cookie, owner.id)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await db.query("select user_id from user_roles where role = 'owner'")).toHaveLength(1);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => call("PUT", `things/${index}`, { cookie: owner.cookie, body: {} })),
    );
    const written = (await access.audited()).filter(({ action }) => action === "PUT things/[id]");
    expect(new Set(written.map(({ target_id }) => target_id)).size).toBe(20);
    await expect(db.query("delete from audit_log")).rejects.toThrow(/append-only/);
    await access.stop();
  });

  // The embedded database runs one transaction at a time.
  it.runIf(name === "PostgreSQL")(
    "keeps an owner also when two demote each other at the very same moment",
    async () => {
      const { db } = database;
      const access = await startAccess({ db });
      const otto = await access.join("otto", ["owner"]);
      const demote = (cookie: string, id: number) =>
        access.call("PUT", `users/${id}`, { cookie, body: { roles: ["admin"] } });
      let both: Promise<{ status: number }[]> | undefined;
      await db.transaction(async (tx) => {
        await tx.query("lock table user_roles in share row exclusive mode");
        both = Promise.all([demote(access.owner.cookie, otto.id), demote(otto.cookie, access.owner.id)]);
        await vi.waitFor(async () => {
          const [row] = await db.query<{ waiting: number }>(
            "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          expect(row?.waiting).toBe(2);
        }, 120_000);
      });
      expect((await both)?.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await db.query("select user_id from user_roles where role = 'owner'")).toHaveLength(1);
      await access.stop();
    },
  );

  it("takes over the users of the version before: whoever could do everything still can", async () => {
    const { db, close } = await open({ migrated: false });
    const statements = (name: string) =>
      readFileSync(new URL(`../migrations/${name}.sql`, import.meta.url), "utf8").split("--> statement-breakpoint");
    for (const statement of statements("0000_init")) await db.query(statement);
    await db.query(
      `insert into users (name, email, role, tenant_id) values
         ('A', 'a@example.com', 'admin', 1), ('V', 'v@example.com', 'viewer', 1), ('B', 'b@example.com', 'admin', 2)`,
    );
    for (const statement of statements("0001_access")) await db.query(statement);
    const rows = await db.query(
      "select u.name, r.role, r.tenant_id from user_roles r join users u on u.id = r.user_id order by u.id",
    );
    expect(rows).toEqual([
      { name: "A", role: "owner", tenant_id: 1 },
      { name: "V", role: "viewer", tenant_id: 1 },
      { name: "B", role: "owner", tenant_id: 2 },
    ]);
    await close();
  });
});
