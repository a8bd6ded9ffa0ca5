import { connectDatabase, type Database, migrate } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import type { ConfigService } from "@oven/module-registry";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { RunKinds } from "../runtime/run-kinds.ts";
import { regularTables } from "../tables/workflows.table.ts";
import { REGULAR } from "../workflow-kind.ts";
import { Admission } from "./admission.ts";
import { AdmittingStore } from "./admitting-store.ts";
import { RunLimits } from "./run-limits.ts";

const folder = (name: string) => ({ name, folder: new URL(`../../../${name}/migrations`, import.meta.url) });
const LEASE_MS = 60_000;

describe("claiming runs of a limited workflow", () => {
  let database: { url: string; drop: () => Promise<void> };
  let workflowIds: number[];
  const dbs: Database[] = [];
  let limit: number;

  beforeEach(async () => {
    database = await createTestPostgres(inject("postgresUrl"));
    const db = await connect();
    await migrate(db, ["module-registry", "module-roles", "module-workflows"].map(folder));
    const rows = await db.query<{ id: number }>(
      "insert into workflows (tenant_id, name, slug, definition) select 1, 'W', 'w' || n, '{}' from generate_series(1, 2) n returning id",
    );
    workflowIds = rows.map(({ id }) => id);
    limit = 2;
  });
  afterEach(async () => {
    await Promise.all(dbs.splice(0).map((db) => db.close()));
    await database.drop();
  });

  async function connect(): Promise<Database> {
    const db = await connectDatabase({ url: database.url, dataDir: "unused" });
    dbs.push(db);
    return db;
  }

  async function openStore() {
    const db = await connect();
    const kinds = new RunKinds();
    kinds.add({
      kind: REGULAR,
      tables: regularTables,
    });
    const config: ConfigService = {
      resolve: async ({ key }) => ({ value: key === "MAX_CONCURRENT_RUNS" ? limit : 0, source: "default" }),
      forget: () => {},
    };
    const room: number[] = [];
    const observer = {
      onWritten: () => {},
      hasListeners: () => false,
      hasMatchingListener: () => false,
      onHeldElsewhere: () => {},
      onRoom: ({ id }: { id: number }) => room.push(id),
    };
    const store = new AdmittingStore(db, kinds, observer, new Admission(db, kinds, new RunLimits(config)));
    const create = (priority = 0, workflowId = workflowIds[0] ?? 0) =>
      store.create({
        kind: "workflow",
        workflowId,
        workflowVersion: 1,
        tenantId: 1,
        input: {},
        principal: { kind: "user", userId: 1, tenantId: 1, permissions: ["*"] },
        priority,
      });
    return { store, create, room, db };
  }

  it("lets in no more than may be under way, though none has begun yet", async () => {
    const { store, create } = await openStore();
    const ids = [await create(), await create(), await create()];
    const claims = [];
    for (const id of ids) claims.push(await store.claim(id, "me", LEASE_MS));
    expect(claims.map((claim) => claim?.id)).toEqual([ids[0], ids[1], undefined]);
  });

  it("keeps to it when many processes claim at once, and leaves the rest free to be claimed", async () => {
    const stores = [await openStore(), await openStore(), await openStore()];
    const [first] = stores;
    const ids = await Promise.all(Array.from({ length: 12 }, () => first?.create() ?? 0));
    for (let round = 0; round < 4; round++) {
      const claims = await Promise.all(
        ids.map((id, index) => stores[index % 3]?.store.claim(id, `worker-${index}`, LEASE_MS)),
      );
      const held = await dbs[0]?.query("select id from workflow_executions where lease_owner is not null");
      expect(held?.length).toBe(2);
      expect(claims.filter((claim) => claim !== undefined).length).toBeLessThanOrEqual(2);
    }
  });

  it("lets nobody pass who waits for longer or is more urgent, and says whose turn it is", async () => {
    limit = 1;
    const { store, create, room } = await openStore();
    const early = await create();
    const urgent = await create(5);
    const late = await create();
    expect(await store.claim(late, "me", LEASE_MS)).toBeUndefined();
    expect(await store.claim(early, "me", LEASE_MS)).toBeUndefined();
    await expect.poll(() => room).toEqual([urgent, urgent]);
    const claimed = await store.claim(urgent, "me", LEASE_MS);
    expect(claimed?.id).toBe(urgent);
    expect([early, urgent, late].map((id) => store.isHeldHere(id))).toEqual([false, true, false]);
    await store.release(urgent, claimed?.epoch ?? 0);
    expect(store.isHeldHere(urgent)).toBe(false);
  });

  it("lets no one pass a more urgent run that a worker has claimed and not asked for yet", async () => {
    limit = 1;
    const { store, create, room, db } = await openStore();
    const [urgent, late] = [await create(5), await create()];
    const claimedBy = "update workflow_executions set lease_owner = $2, lease_until = $3 where id = $1";
    await db.query(claimedBy, [urgent, "other", new Date(Date.now() + LEASE_MS)]);
    expect(await store.claim(late, "me", LEASE_MS)).toBeUndefined();
    await db.query(claimedBy, [urgent, null, null]);
    expect((await store.claim(urgent, "me", LEASE_MS))?.id).toBe(urgent);
    expect(await store.claim(late, "me", LEASE_MS)).toBeUndefined();
    // Nothing was woken for a place that the urgent one was about to take.
    expect(room).toEqual([]);
  });

  it("does not count a lease that has ended", async () => {
    limit = 1;
    const { store, create, db } = await openStore();
    const [dead, next] = [await create(), await create()];
    expect((await store.claim(dead, "dead", LEASE_MS))?.id).toBe(dead);
    expect(await store.claim(next, "me", LEASE_MS)).toBeUndefined();
    await db.query("update workflow_executions set lease_until = now() - interval '1 second' where id = $1", [dead]);
    // The dead one's run goes first, for it is older.
    expect(await store.claim(next, "me", LEASE_MS)).toBeUndefined();
    expect((await store.claim(dead, "me", LEASE_MS))?.takenOver).toBe(true);
  });

  it("sweeps in turn over the workflows, most urgent first, and tries a full one once", async () => {
    limit = 1;
    const { store, create, db } = await openStore();
    const [full, other] = workflowIds;
    for (let run = 0; run < 60; run++) await create(0, full);
    const urgent = await create(9, full);
    const small = await create(0, other);
    const found = await store.stuckRuns(new Date().toISOString(), 100);
    expect(found).toHaveLength(51);
    expect(found.slice(0, 2)).toEqual([urgent, small]);
    for (const id of found) await store.claim(id, "me", LEASE_MS);
    // Of the full workflow: the first was let in, the second found it full, and nobody else was tried.
    expect(await db.query("select id from workflow_executions where epoch > 0 order by id")).toHaveLength(3);
  });
});
