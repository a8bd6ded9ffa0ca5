import type { JsonObject } from "@oven/contract";
import type { ReviewRequest } from "@oven/contract/node";
import { ReviewPolicySchema } from "@oven/contract/review";
import type { Definition } from "@oven/contract/workflow";
import { type ColumnValue, type Database, migrate } from "@oven/db";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { systemClock } from "@oven/engine";
import { type ScriptedNode, ScriptedNodes } from "@oven/engine/testing";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { createConfiguredDefinitions } from "../definitions/configured-definitions.ts";
import { regularTables } from "../tables/workflows.table.ts";
import { REGULAR } from "../workflow-kind.ts";
import { BossQueue } from "./boss-queue.ts";
import { type LeasedRun, runInsertStatement, toLeasedRun } from "./insert-execution.ts";
import { RunKinds } from "./run-kinds.ts";
import { SqlStore } from "./sql-store.ts";
import { type Reservation, WorkerHost } from "./worker-host.ts";

const folder = (name: string) => ({ name, folder: new URL(`../../../${name}/migrations`, import.meta.url) });
const PRINCIPAL = { kind: "user" as const, userId: 1, tenantId: 1, permissions: ["*"] };
const KIND = { kind: REGULAR, tables: regularTables };
const NEVER = 3_600_000;
const AT = "2026-01-01T00:00:00.000Z";

function request(proposal: JsonObject): ReviewRequest {
  const asked = { title: "Go on?", proposal, schema: null, context: null, tool: null, assignees: [], dueAt: null };
  return { ...asked, actions: ["approve"], policy: ReviewPolicySchema.parse({}) };
}

const definition: Definition = {
  initial: "a",
  states: {
    a: { invoke: { src: "step", input: { n: "$.trigger.n" }, onDone: "b" } },
    b: { invoke: { src: "step", input: { n: "$.a_output.n" }, onDone: "done" } },
    done: { type: "final", output: "$.b_output.n" },
  },
};
const echo: ScriptedNode = { run: ({ input }) => ({ type: "done", output: input as JsonObject }) };

describe.each(testDatabases(inject("postgresUrl")))("a worker on $name", ({ name, open }) => {
  let test: TestDatabase;
  let workflowId: number;
  const hosts: WorkerHost[] = [];

  beforeEach(async () => {
    test = await open();
    await migrate(test.db, ["module-registry", "module-roles", "module-workflows"].map(folder));
    const [row] = await test.db.query<{ id: number }>(
      "insert into workflows (tenant_id, name, slug, definition) values (1, 'Test', 'test', '{}') returning id",
    );
    workflowId = row?.id ?? 0;
  });
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.stop()));
    await test.close();
  });

  function storeOn(db: Database): SqlStore {
    const kinds = new RunKinds();
    kinds.add(KIND);
    return new SqlStore(db, kinds, {
      onWritten: () => {},
      hasListeners: () => false,
      hasMatchingListener: () => false,
    });
  }

  function hostWith(
    step: ScriptedNode,
    options: { sweepMs?: number; leaseMs?: number } = {},
    read = async () => ({ definition, workflowName: "Test" }),
  ): { host: WorkerHost; store: SqlStore; nodes: ScriptedNodes } {
    const store = storeOn(test.db);
    const nodes = new ScriptedNodes({ step });
    const definitions = createConfiguredDefinitions({
      catalog: nodes,
      defaults: async () => ({ maxToolIterations: 10, timeoutMs: 60_000, checkpoints: true, costCapMicros: 1_000_000 }),
      config: async () => ({}),
      read,
    });
    const host = new WorkerHost({
      db: test.db,
      queue: new BossQueue(test.db),
      store,
      ids: store,
      clock: systemClock,
      catalog: nodes,
      nodes,
      definitions,
      sweepMs: NEVER,
      ...options,
    });
    hosts.push(host);
    return { host, store, nodes };
  }

  const newRun = () => ({
    kind: "workflow" as const,
    workflowId,
    workflowVersion: 1,
    tenantId: 1,
    input: { n: 7 },
    principal: PRINCIPAL,
  });
  const create = (store: SqlStore) => store.create(newRun());
  const row = async (id: number) => {
    const [found] = await test.db.query<{
      status: string;
      output: unknown;
      lease_owner: string | null;
      epoch: number;
      wake_at: Date | null;
    }>("select status, output, lease_owner, epoch, wake_at from workflow_executions where id = $1", [id]);
    return found;
  };
  const becomes = (id: number, status: string) =>
    expect.poll(async () => (await row(id))?.status, { interval: 20 }).toBe(status);

  it("takes a run up when it is woken, and gives the lease up at the end", async () => {
    const { host, store } = hostWith(echo);
    await host.start();
    const id = await create(store);
    await host.wake(id);
    await becomes(id, "completed");
    expect(await row(id)).toMatchObject({ output: 7, lease_owner: null });
  });

  /** As a start does: the run is there with the host's lease, and not begun yet. */
  async function leasedRun(store: SqlStore, reservation: Reservation | undefined): Promise<LeasedRun> {
    if (reservation === undefined) throw new Error("there was no room");
    const [id = 0] = await store.executions(1);
    return toLeasedRun(KIND, newRun(), { ...reservation.lease, id, workflow: { name: "Test", slug: "test" } });
  }
  async function insertFor(store: SqlStore, reservation: Reservation | undefined): Promise<number> {
    const run = await leasedRun(store, reservation);
    const { sql, params } = runInsertStatement(run.runInsert);
    await test.db.query(sql, params);
    store.registerLease(run);
    return run.row.id;
  }

  it("begins a run that was inserted with its lease, without claiming it", async () => {
    const { host, store } = hostWith(echo);
    await host.start();
    const reservation = host.reserve();
    const id = await insertFor(store, reservation);
    expect(await row(id)).toMatchObject({ status: "pending", epoch: 1, lease_owner: reservation?.lease.worker });
    reservation?.begin(id);
    await becomes(id, "completed");
    expect(await row(id)).toMatchObject({ output: 7, epoch: 1, lease_owner: null });
  });

  it("takes over a run whose worker died between the insert and its first step", async () => {
    const dead = hostWith(echo, { leaseMs: 200 });
    await dead.host.start();
    const id = await insertFor(dead.store, dead.host.reserve());
    const { host } = hostWith(echo, { sweepMs: 50 });
    await host.start();
    await becomes(id, "completed");
    expect(await row(id)).toMatchObject({ output: 7, epoch: 2 });
  });

  it("writes a run with its first step, and tells whoever started it when it is there", async () => {
    const { host, store } = hostWith(echo);
    await host.start();
    const reservation = host.reserve();
    const run = await leasedRun(store, reservation);
    const written = store.deferInsert(run);
    expect(await row(run.row.id)).toBeUndefined();
    reservation?.begin(run.row.id);
    await written;
    const [event] = await test.db.query("select event from run_events where execution_id = $1 and seq = 1", [
      run.row.id,
    ]);
    expect(event).toEqual({ event: "execution.started" });
    await becomes(run.row.id, "completed");
    expect(await row(run.row.id)).toMatchObject({ output: 7, epoch: 1, lease_owner: null });
  });

  const ofNoWorkflow = (column: ColumnValue): ColumnValue =>
    column.name === "workflow_id" ? { ...column, value: -1 } : column;

  it("tells whoever started a run that it could not be written, and takes no step of it", async () => {
    const { host, store, nodes } = hostWith(echo);
    await host.start();
    const reservation = host.reserve();
    const run = await leasedRun(store, reservation);
    const written = store.deferInsert({
      ...run,
      runInsert: { ...run.runInsert, columns: run.runInsert.columns.map(ofNoWorkflow) },
    });
    reservation?.begin(run.row.id);
    await expect(written).rejects.toThrow(/foreign key/);
    expect(await row(run.row.id)).toBeUndefined();
    expect(nodes.calls).toEqual([]);
  });

  it("writes a run that it could not begin, so that it is taken up when its lease ends", async () => {
    const broken = hostWith(echo, { leaseMs: 200 }, async () => {
      throw Object.assign(new Error("terminating connection"), { code: "57P01" });
    });
    await broken.host.start();
    const reservation = broken.host.reserve();
    const run = await leasedRun(broken.store, reservation);
    const written = broken.store.deferInsert(run);
    reservation?.begin(run.row.id);
    await written;
    expect(await row(run.row.id)).toMatchObject({ status: "pending", epoch: 1 });
    const { host } = hostWith(echo, { sweepMs: 50 });
    await host.start();
    await becomes(run.row.id, "completed");
  });

  it("gives a run back that it was stopped before it could begin", async () => {
    const { host, store } = hostWith(echo);
    await host.start();
    const reservation = host.reserve();
    const id = await insertFor(store, reservation);
    await host.stop();
    expect(host.reserve()).toBeUndefined();
    reservation?.begin(id);
    await expect.poll(async () => (await row(id))?.lease_owner).toBeNull();
    expect(await row(id)).toMatchObject({ status: "pending" });
  });

  it("finds runs whose wake-up was lost, at start and by sweeping", async () => {
    const { host, store } = hostWith(echo, { sweepMs: 50 });
    const before = await create(store);
    await host.start();
    await becomes(before, "completed");
    const after = await create(store);
    await becomes(after, "completed");
  });

  it("goes on after a delay at its instant, without waiting for a sweep", async () => {
    const late: number[] = [];
    const delay: ScriptedNode = {
      run: () => ({ type: "wait", for: "timer", request: { dueAt: new Date(Date.now() + 300).toISOString() } }),
      resume: (_call, signal) => {
        if (signal.type === "timer") late.push(Date.now() - Date.parse(signal.dueAt));
        return { type: "done", output: { n: 1 } };
      },
    };
    const { host, store } = hostWith(delay);
    await host.start();
    const id = await create(store);
    await host.wake(id);
    await becomes(id, "completed");
    expect(late).toHaveLength(2);
    for (const milliseconds of late) expect(milliseconds).toBeGreaterThanOrEqual(0);
    expect((await row(id))?.wake_at).toBeNull();
  });

  it("takes over the run of a worker that died, and repeats no recorded node", async () => {
    const { host, store, nodes } = hostWith(echo, { sweepMs: 50 });
    const id = await create(store);
    const dead = await storeOn(test.db).claim(id, "dead", name === "PGlite" ? NEVER : 300);
    expect(dead?.epoch).toBe(1);
    await host.start();
    await becomes(id, "completed");
    expect(nodes.calls).toEqual(["run a#1", "run b#1"]);
  });

  it.runIf(name === "PostgreSQL")("takes a run over when its lease ends, without waiting for a sweep", async () => {
    const begins: number[] = [];
    const noting: ScriptedNode = {
      run: ({ input }) => {
        begins.push(Date.now());
        return { type: "done", output: input as JsonObject };
      },
    };
    const { host, store } = hostWith(noting);
    const id = await create(store);
    await storeOn(test.db).claim(id, "dead", 3_000);
    const [lease] = await test.db.query<{ ends: Date }>(
      "select lease_until as ends from workflow_executions where id = $1 and lease_owner = 'dead'",
      [id],
    );
    await host.start();
    await becomes(id, "completed");
    expect(await row(id)).toMatchObject({ output: 7, epoch: 2 });
    // Not what the row says after the start: a busy machine may need longer for it than the lease lasts.
    expect(begins[0]).toBeGreaterThanOrEqual(lease?.ends.getTime() ?? Number.POSITIVE_INFINITY);
  });

  describe("a run that waits for a decision", () => {
    const asking: ScriptedNode = {
      run: ({ node, input }) =>
        node.nodeId === "a"
          ? { type: "wait", for: "review", request: request({ n: 9 }) }
          : { type: "done", output: input as JsonObject },
      resume: (_call, signal) => {
        if (signal.type !== "decision") throw new Error("not a decision");
        return { type: "done", output: signal.data };
      },
    };

    async function paused({ host, store }: Pick<ReturnType<typeof hostWith>, "host" | "store">) {
      await host.start();
      const id = await create(store);
      await host.wake(id);
      await expect.poll(async () => (await row(id))?.lease_owner === null && (await row(id))?.status).toBe("paused");
      const [review] = await test.db.query<{ id: number }>("select id from reviews where execution_id = $1", [id]);
      const decide = () => {
        const asked = { id: review?.id ?? 0, executionId: id, nodeId: "a", visit: 1, item: null };
        const decision = { action: "approve", data: { n: 9 }, reason: null, reviewer: 1, decidedAt: AT };
        return test.db.transaction((tx) => store.decideWithin(tx, asked, decision));
      };
      return { id, decide };
    }

    it("goes on when it is woken after the decision", async () => {
      const { host, store } = hostWith(asking);
      const { id, decide } = await paused({ host, store });
      await decide();
      await host.wake(id);
      await becomes(id, "completed");
      expect(await row(id)).toMatchObject({ output: 9, epoch: 2, lease_owner: null });
    });

    it.runIf(name === "PostgreSQL")("is decided without waiting for whoever writes it just now", async () => {
      const { host, store } = hostWith(asking);
      const { id, decide } = await paused({ host, store });
      const locked = Promise.withResolvers<void>();
      const decided = Promise.withResolvers<void>();
      const writing = test.db.transaction(async (tx) => {
        await tx.query("update workflow_executions set seq = seq where id = $1", [id]);
        locked.resolve();
        await decided.promise;
      });
      await locked.promise;
      // The writer ends only after the decision, so a decision that waits for it never comes.
      const giveUp = setTimeout(() => decided.reject(new Error("the decision waited for the writer")), 5_000);
      await decide();
      clearTimeout(giveUp);
      decided.resolve();
      await writing;
    });

    it("is found by the sweep when nobody wakes it after the decision", async () => {
      const { host, store } = hostWith(asking, { sweepMs: 50 });
      const { id, decide } = await paused({ host, store });
      await decide();
      await becomes(id, "completed");
      expect(await row(id)).toMatchObject({ output: 9 });
    });
  });

  it("hears of a cancel while a node runs, and aborts it", async () => {
    const aborted = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const slow: ScriptedNode = {
      run: ({ signal }) => {
        started.resolve();
        return new Promise(() => signal.addEventListener("abort", () => aborted.resolve()));
      },
    };
    const { host, store } = hostWith(slow);
    await host.start();
    const id = await create(store);
    await host.wake(id);
    await started.promise;
    await store.sendSignal(id, { type: "cancel", data: { reason: null, by: "user 1" } }, "cancel");
    await host.wake(id);
    await aborted.promise;
    await becomes(id, "cancelled");
  });

  it.runIf(name === "PostgreSQL")("hears of a signal that another process sent", async () => {
    const started = Promise.withResolvers<void>();
    const slow: ScriptedNode = {
      run: () => {
        started.resolve();
        return new Promise(() => undefined);
      },
    };
    const one = hostWith(slow, { leaseMs: 300 });
    await one.host.start();
    const id = await create(one.store);
    await one.host.wake(id);
    await started.promise;
    const other = storeOn(test.db);
    expect(await other.sendSignal(id, { type: "cancel", data: { reason: null, by: "user 1" } }, "cancel")).toBe(true);
    await becomes(id, "cancelled");
  });

  it("stopped, lets the call in flight finish and another worker go on", async () => {
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const first = hostWith({
      run: async ({ input }) => {
        started.resolve();
        await gate.promise;
        return { type: "done", output: input as JsonObject };
      },
    });
    await first.host.start();
    const id = await create(first.store);
    await first.host.wake(id);
    await started.promise;
    const stopped = first.host.stop();
    gate.resolve();
    await stopped;
    hosts.length = 0;
    expect(first.nodes.calls).toEqual(["run a#1"]);
    expect(await row(id)).toMatchObject({ status: "running", lease_owner: null });
    const second = hostWith(echo);
    await second.host.start();
    await becomes(id, "completed");
    expect(second.nodes.calls).toEqual(["run b#1"]);
  });
});
