import { type Database, migrate } from "@oven/db";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import type { RunCommit } from "@oven/engine";
import { commitOf, storeContract } from "@oven/engine/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { regularTables } from "../tables/workflows.table.ts";
import { REGULAR } from "../workflow-kind.ts";
import { RunKinds } from "./run-kinds.ts";
import { SqlStore, type StoreObserver } from "./sql-store.ts";

const folder = (name: string) => ({ name, folder: new URL(`../../../${name}/migrations`, import.meta.url) });
const PRINCIPAL = { kind: "user" as const, userId: 1, tenantId: 1, permissions: ["*"] };

const DEAF: StoreObserver = { onWritten: () => {}, hasListeners: () => false, hasMatchingListener: () => false };

function storeOn(db: Database, observer = DEAF): SqlStore {
  const kinds = new RunKinds();
  kinds.add({
    kind: REGULAR,
    tables: regularTables,
  });
  return new SqlStore(db, kinds, observer);
}

async function emptied(db: Database): Promise<{ store: SqlStore; workflowId: number }> {
  await db.query(
    "truncate workflows, workflow_executions, node_executions, run_events, run_signals, reviews, outbox_events cascade",
  );
  const [row] = await db.query<{ id: number }>(
    "insert into workflows (tenant_id, name, slug, definition) values (1, 'Test', 'test', '{}') returning id",
  );
  return { store: storeOn(db), workflowId: row?.id ?? 0 };
}

describe.each(testDatabases(inject("postgresUrl")))("runs on $name", ({ name, open }) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await open();
    await migrate(test.db, ["module-registry", "module-roles", "module-workflows"].map(folder));
  });
  afterAll(() => test.close());

  storeContract(name, async () => {
    const { store, workflowId } = await emptied(test.db);
    return { store, ids: store, newExecution: { workflowId } };
  });

  it("gives one of many workers that claim at once the lease", async () => {
    const { store, workflowId } = await emptied(test.db);
    const id = await store.create({
      kind: "workflow",
      workflowId,
      workflowVersion: 1,
      tenantId: 1,
      input: {},
      principal: PRINCIPAL,
    });
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => storeOn(test.db).claim(id, `w${index}`, 60_000)),
    );
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  it("gives a lease that ran out to the next worker, which learns that calls may be lost", async () => {
    const { store, workflowId } = await emptied(test.db);
    const id = await store.create({
      kind: "workflow",
      workflowId,
      workflowVersion: 1,
      tenantId: 1,
      input: {},
      principal: PRINCIPAL,
    });
    expect(await store.claim(id, "w1", -1)).toMatchObject({ epoch: 1, takenOver: false });
    expect(await storeOn(test.db).claim(id, "w2", 60_000)).toMatchObject({ epoch: 2, takenOver: true });
    expect(await store.release(id, 1)).toBe(true);
    expect(await storeOn(test.db).claim(id, "w3", 60_000)).toBeUndefined();
  });

  describe("the columns of a run that most commits leave as they are", () => {
    const columnsWith = (tokens: number): RunCommit["columns"] => {
      const { columns } = commitOf(0, 0, 0);
      return { ...columns, tokenUsage: { input: tokens, output: 0, total: tokens }, costMicros: tokens };
    };
    async function claimed(leaseMs: number) {
      const { store, workflowId } = await emptied(test.db);
      const id = await store.create({
        kind: "workflow",
        workflowId,
        workflowVersion: 1,
        tenantId: 1,
        input: {},
        principal: PRINCIPAL,
      });
      await store.claim(id, "w1", leaseMs);
      const commit = (epoch: number, seq: number, tokens: number) =>
        store.commit(commitOf(id, epoch, seq, { columns: columnsWith(tokens) }));
      const stored = async () => {
        const [row] = await test.db.query<{ tokens: { total: number }; cost: number; status: string }>(
          "select token_usage as tokens, cost_micros as cost, status from workflow_executions where id = $1",
          [id],
        );
        return { tokens: row?.tokens.total, cost: Number(row?.cost), status: row?.status };
      };
      return { store, id, commit, stored };
    }

    it("hold what was written last, also after log entries between commits and a commit that was refused", async () => {
      const { store, id, commit, stored } = await claimed(60_000);
      expect(await commit(1, 0, 5)).toBe(true);
      expect(await commit(1, 1, 5)).toBe(true);
      expect(await stored()).toEqual({ tokens: 5, cost: 5, status: "running" });
      const { events } = commitOf(id, 1, 0);
      expect(await store.appendEvents(id, 1, 2, [...events, ...events])).toBe(true);
      expect(await commit(1, 4, 5)).toBe(true);
      expect(await commit(1, 5, 7)).toBe(true);
      expect(await stored()).toEqual({ tokens: 7, cost: 7, status: "running" });
      expect(await commit(1, 9, 9)).toBe(false);
      expect(await stored()).toEqual({ tokens: 7, cost: 7, status: "running" });
      expect(await commit(1, 6, 9)).toBe(true);
      expect(await commit(1, 7, 12)).toBe(true);
      expect(await stored()).toEqual({ tokens: 12, cost: 12, status: "running" });
    });

    it("hold what the lease's holder wrote, whatever an earlier holder in the same process tried", async () => {
      const { store, id, commit, stored } = await claimed(-1);
      expect(await store.claim(id, "w1", 60_000)).toMatchObject({ epoch: 2 });
      expect(await commit(2, 0, 5)).toBe(true);
      // The holder writes on before the earlier one is answered.
      expect(await Promise.all([commit(1, 0, 9), commit(2, 1, 9)])).toEqual([false, true]);
      expect(await stored()).toEqual({ tokens: 9, cost: 9, status: "running" });
    });
  });

  describe("the events of a run", () => {
    const end = (id: number) => commitOf(id, 1, 0, { columns: { ...commitOf(id, 1, 0).columns, status: "completed" } });
    const events = () =>
      test.db.query<{ name: string; open: boolean }>(
        "select name, delivered_at is null as open from outbox_events order by id",
      );
    async function claimed(observer: StoreObserver, more: object = {}) {
      const { workflowId } = await emptied(test.db);
      const store = storeOn(test.db, observer);
      const run = { kind: "workflow" as const, workflowId, workflowVersion: 1, tenantId: 1, input: {} };
      const id = await store.create({ ...run, principal: PRINCIPAL, ...more });
      await store.claim(id, "w1", 60_000);
      return { store, id, workflowId };
    }

    it("are open where they concern a listener, and somebody is woken by the same answer", async () => {
      for (const first of [true, false]) {
        let next = first;
        const woken: boolean[] = [];
        const { store, id } = await claimed({
          onWritten: (_id, { outbox }) => woken.push(outbox),
          hasListeners: () => false,
          // Whoever asks twice is told something else.
          hasMatchingListener: () => {
            next = !next;
            return !next;
          },
        });
        await store.commit({ ...end(id), outbox: [{ name: "execution.completed", custom: false, payload: {} }] });
        expect([await events(), woken]).toEqual([[{ name: "workflows.execution.completed", open: first }], [first]]);
      }
    });

    it("tell listeners of their run, but for those that may be about anything", async () => {
      const asked: unknown[] = [];
      const { store, id, workflowId } = await claimed(
        {
          onWritten: () => {},
          hasListeners: () => false,
          hasMatchingListener: (event) => {
            asked.push(event);
            return false;
          },
        },
        { triggerEvent: "chat", agent: { id: 7, version: 1, sessionId: 9 } },
      );
      const drafts: RunCommit["outbox"] = [
        { name: "shop.sold", custom: true, payload: { id: 1 } },
        { name: "execution.completed", custom: false, payload: { outcome: "success" } },
      ];
      await store.commit({ ...end(id), outbox: drafts });
      const given = { tenantId: 1, actor: { kind: "user", id: 1 }, orderKey: `execution:${id}` };
      expect(asked).toEqual([
        { ...given, name: "shop.sold", payload: { id: 1 } },
        {
          ...given,
          name: "workflows.execution.completed",
          payload: { id, workflowId, outcome: "success" },
          run: { parentId: null, agentId: 7, triggerEvent: "chat" },
        },
      ]);
    });

    it("say the same of their run where another process has claimed it, and of a part whose run it is part of", async () => {
      const runs: unknown[] = [];
      const observer: StoreObserver = {
        onWritten: () => {},
        hasListeners: () => false,
        hasMatchingListener: ({ run }) => {
          runs.push(run);
          return false;
        },
      };
      const { store, id, workflowId } = await claimed(observer, { triggerEvent: "schedule" });
      const [childId = 0] = await store.executions(1);
      const request = { kind: "workflow" as const, workflowId, workflowVersion: 1, input: {}, part: null };
      const child = { id: childId, nodeId: "a", visit: 1, item: null, depth: 1, options: null, request };
      await store.commit(commitOf(id, 1, 0, { children: [child] }));
      const said = { outbox: [{ name: "execution.completed", custom: false, payload: {} }] };
      // A store that has claimed nothing reads whose run it is.
      await storeOn(test.db, observer).commit(commitOf(id, 1, 1, said));
      await store.claim(childId, "w1", 60_000);
      await store.commit({ ...end(childId), ...said });
      expect(runs).toEqual([
        { parentId: null, agentId: null, triggerEvent: "schedule" },
        { parentId: id, agentId: null, triggerEvent: null },
      ]);
    });
  });

  it("accepts one of many decisions made at once", async () => {
    const { store, workflowId } = await emptied(test.db);
    const id = await store.create({
      kind: "workflow",
      workflowId,
      workflowVersion: 1,
      tenantId: 1,
      input: {},
      principal: PRINCIPAL,
    });
    const review = await store.review();
    await test.db.query(
      `insert into reviews (id, tenant_id, execution_id, execution_kind, workflow_id, workflow_name, node_id, visit, title, proposal, context, digest, assignees, actions)
       values ($1, 1, $2, 'workflow', $3, 'Test', 'a', 1, '?', '1', 'null', 'd', '[]', '["approve"]')`,
      [review, id, workflowId],
    );
    const decide = (reviewer: number) =>
      store.decide(review, {
        action: "approve",
        data: null,
        reason: null,
        reviewer,
        decidedAt: new Date().toISOString(),
      });
    const accepted = await Promise.all([1, 2, 3, 4].map(decide));
    expect(accepted.filter(Boolean)).toHaveLength(1);
    expect(await store.signals(id)).toHaveLength(1);
    const [row] = await test.db.query<{ decided_by: number }>("select decided_by from reviews where id = $1", [review]);
    expect(row?.decided_by).toBe(accepted.indexOf(true) + 1);
  });
});
