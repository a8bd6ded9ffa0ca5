import { type Database, migrate } from "@oven/db";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import type { NewChild, RowChange, RunCommit } from "@oven/engine";
import { commitOf } from "@oven/engine/testing";
import type { RowVersion } from "@oven/module-registry";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { regularTables } from "../tables/workflows.table.ts";
import { REGULAR } from "../workflow-kind.ts";
import type { RunInsert } from "./insert-execution.ts";
import { toLeasedRun } from "./insert-execution.ts";
import { RunKinds } from "./run-kinds.ts";
import { SqlStore } from "./sql-store.ts";

const folder = (name: string) => ({ name, folder: new URL(`../../../${name}/migrations`, import.meta.url) });
const KIND = { kind: REGULAR, tables: regularTables };
const PRINCIPAL = { kind: "user" as const, userId: 1, tenantId: 1, permissions: ["*"] };
const AT = "2026-03-01T00:00:00.000Z";
/** More than an `int` column takes. */
const TOO_MANY = 2 ** 40;

/** The same numbers for the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393;
    return (state >>> 8) % below;
  };
}

const startOf = (nodeId: string, visit: number): RowChange => ({
  type: "start",
  nodeId,
  parentNodeId: null,
  nodeType: "core.log",
  nodeVersion: 1,
  visit,
  attempt: 1,
  item: null,
  input: { nodeId },
  startedAt: AT,
});
const finishOf = (nodeId: string, visit: number, cost: number): RowChange => ({
  type: "finish",
  nodeId,
  visit,
  item: null,
  attempt: 1,
  status: "completed",
  output: { nodeId, cost },
  error: null,
  tokenUsage: cost === 0 ? null : { input: cost, output: 1, total: cost + 1 },
  toolCalls: null,
  costMicros: cost,
  durationMs: cost,
  completedAt: AT,
});

/** What a run might write step by step: rows that begin and end, snapshots, wake-ups, events for others. */
function steps(id: number, epoch: number, count: number, roll: (below: number) => number): RunCommit[] {
  const commits: RunCommit[] = [];
  let seq = 0;
  const open: { nodeId: string; visit: number }[] = [];
  for (let step = 0; step < count; step++) {
    const rows: RowChange[] = [];
    if (open.length > 0 && roll(3) > 0) {
      const [{ nodeId, visit }] = open.splice(roll(open.length), 1) as [(typeof open)[number]]; // cast: there is one
      if (roll(4) === 0)
        rows.push({
          type: "attempt",
          nodeId,
          visit,
          item: null,
          attempt: 2,
          error: { code: "BUSY", nodeId, message: "later" },
        });
      rows.push(finishOf(nodeId, visit, roll(3)));
    }
    for (let more = roll(3); more > 0; more--) {
      const row = { nodeId: `n${roll(4)}`, visit: step * 3 + more };
      rows.push(startOf(row.nodeId, row.visit));
      open.push(row);
    }
    const events = Array.from({ length: 1 + roll(4) }, (_, index) => ({
      event: "log" as const,
      at: AT,
      fields: { step, index },
    }));
    const { columns } = commitOf(id, epoch, seq);
    const isLast = step === count - 1;
    const wakeAt = [undefined, null, AT][roll(3)];
    commits.push(
      commitOf(id, epoch, seq, {
        rows,
        events,
        columns: {
          ...columns,
          steps: step,
          currentState: `s${step}`,
          costMicros: roll(2),
          output: isLast ? { step } : null,
          status: isLast ? "completed" : "running",
        },
        outbox: roll(2) === 0 ? [] : [{ name: `custom.${step}`, custom: true, payload: { step } }],
        ...(roll(4) === 0 ? { snapshot: { seq: seq + events.length, values: { step }, writers: {} } } : {}),
        ...(wakeAt === undefined ? {} : { wakeAt }),
      }),
    );
    seq += events.length;
  }
  return commits;
}

describe.each(testDatabases(inject("postgresUrl")))("steps of one run that follow each other, on $name", ({ open }) => {
  let test: TestDatabase;
  let sent: number[] = [];
  let store: SqlStore;
  let workflowId: number;
  beforeAll(async () => {
    test = await open();
    await migrate(test.db, ["module-registry", "module-roles", "module-workflows"].map(folder));
    const [row] = await test.db.query<{ id: number }>(
      "insert into workflows (tenant_id, name, slug, definition) values (1, 'Test', 'test', '{}') returning id",
    );
    workflowId = row?.id ?? 0;
    const kinds = new RunKinds();
    kinds.add(KIND);
    const batch: Database["batch"] = (calls) => {
      sent.push(calls.length);
      return test.db.batch(calls);
    };
    const counting: Database = Object.create(test.db, { batch: { value: batch } });
    store = new SqlStore(counting, kinds, {
      onWritten: () => {},
      hasListeners: () => false,
      // Some concern a listener, others do not: each keeps its own answer.
      hasMatchingListener: ({ payload }) => Number(payload.step) % 2 === 0,
    });
  });
  afterAll(() => test.close());

  async function claimed(): Promise<{ id: number; epoch: number }> {
    const run = { kind: "workflow" as const, workflowId, workflowVersion: 1, tenantId: 1, input: {} };
    const id = await store.create({ ...run, principal: PRINCIPAL });
    const record = await store.claim(id, "w1", 60_000);
    sent = [];
    return { id, epoch: record?.epoch ?? 0 };
  }

  /** As a start leaves a run: with its number and its lease, to be written with what it does first. */
  async function unwritten(more: Partial<Pick<RunInsert, "rowVersions" | "alsoInsert">> = {}) {
    const [id = 0] = await store.executions(1);
    const run = {
      kind: "workflow" as const,
      workflowId,
      workflowVersion: 1,
      tenantId: 1,
      input: {},
      principal: PRINCIPAL,
    };
    const lease = { id, worker: "w1", milliseconds: 60_000, workflow: { name: "Test", slug: "test" } };
    const leased = toLeasedRun(KIND, run, { ...lease, rowVersions: undefined, alsoInsert: undefined, ...more });
    const written = store.deferInsert(leased);
    const record = await store.claim(id, "w1", 60_000);
    sent = [];
    return { id, epoch: record?.epoch ?? 0, written };
  }

  const rowVersionOf = async (): Promise<RowVersion> => {
    const [row] = await test.db.query<{ xmin: string }>("select xmin::text from workflows where id = $1", [workflowId]);
    return { table: "workflows", id: workflowId, xmin: row?.xmin ?? "" };
  };
  const NOTE = "a row beside a run";
  const alsoInsert = {
    table: "graph_policies",
    columns: [
      { name: "tenant_id", type: "int", value: 1 },
      { name: "name", type: "text", value: NOTE },
      { name: "severity", type: "text", value: "warning" },
      { name: "rule", type: "jsonb", value: "{}" },
    ],
  };
  const notes = async () => (await test.db.query("select 1 from graph_policies where name = $1", [NOTE])).length;

  /** All that is written of a run, without its number and the database's clock. */
  async function writtenOf(id: number) {
    const read = async (sql: string) =>
      (await test.db.query(sql, [id])).map(
        ({ id: _id, execution_id, created_at, lease_until, order_key, ...row }) => row,
      );
    return {
      runs: await read("select * from workflow_executions where id = $1"),
      nodes: await read("select * from node_executions where execution_id = $1 order by id"),
      events: await read("select * from run_events where execution_id = $1 order by seq"),
      outbox: await read(
        "select name, payload, tenant_id, delivered_at is null as open from outbox_events where order_key = 'execution:' || $1::text order by id",
      ),
    };
  }

  it("leave what they leave one by one", async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const count = 1 + dice(seed)(9);
      const one = await claimed();
      for (const commit of steps(one.id, one.epoch, count, dice(seed))) expect(await store.commit(commit)).toBe(true);
      const statements = sent.length;
      const other = await claimed();
      const all = steps(other.id, other.epoch, count, dice(seed)).map((commit) => store.commit(commit));
      expect(await Promise.all(all)).toEqual(all.map(() => true));
      expect(await writtenOf(other.id), `seed ${seed}`).toEqual(await writtenOf(one.id));
      const together = sent.reduce((sum, calls) => sum + calls, 0);
      if (count > 1) expect(together, `seed ${seed}`).toBeLessThan(statements);
    }
  });

  it("leave what they leave of a run that was there, where they write it themselves", async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const count = 1 + dice(seed)(5);
      const one = await claimed();
      for (const commit of steps(one.id, one.epoch, count, dice(seed))) expect(await store.commit(commit)).toBe(true);
      const other = await unwritten({ rowVersions: [await rowVersionOf()] });
      const all = steps(other.id, other.epoch, count, dice(seed)).map((commit) => store.commit(commit));
      expect(await Promise.all([other.written, ...all])).toEqual([true, ...all.map(() => true)]);
      expect(await writtenOf(other.id), `seed ${seed}`).toEqual(await writtenOf(one.id));
      if (count < 4) expect(sent, `seed ${seed}`).toEqual([1]);
    }
  });

  it("write nothing where what the start went by has changed", async () => {
    const rowVersion = await rowVersionOf();
    await test.db.query("update workflows set description = 'new' where id = $1", [workflowId]);
    const { id, epoch, written } = await unwritten({ rowVersions: [rowVersion], alsoInsert });
    const all = steps(id, epoch, 3, dice(5)).map((commit) => store.commit(commit));
    expect(await Promise.all([written, ...all])).toEqual([false, false, false, false]);
    expect(await writtenOf(id)).toEqual({ runs: [], nodes: [], events: [], outbox: [] });
    expect(await notes()).toBe(0);
  });

  it("write the run without them where the database does not take them, and what is beside it once", async () => {
    const { id, epoch, written } = await unwritten({ rowVersions: [await rowVersionOf()], alsoInsert });
    const [first] = steps(id, epoch, 1, dice(3));
    if (first === undefined) throw new Error("one");
    const refused = store.commit({ ...first, rows: [startOf("n9", TOO_MANY)] });
    await expect(refused).rejects.toMatchObject({ code: "COMMIT_REFUSED" });
    expect(await written).toBe(true);
    expect(await writtenOf(id)).toMatchObject({ runs: [{ status: "pending", seq: 0 }], nodes: [] });
    expect(await notes()).toBe(1);
  });

  it("do not write the run together with a child, which is made of its row", async () => {
    const { id, epoch, written } = await unwritten();
    const [childId = 0] = await store.executions(1);
    const request: NewChild["request"] = { kind: "workflow", workflowId, workflowVersion: 1, input: {}, part: null };
    const child: NewChild = { id: childId, nodeId: "a", visit: 1, item: null, depth: 1, options: null, request };
    const commits = [
      commitOf(id, epoch, 0, { rows: [startOf("a", 1)] }),
      commitOf(id, epoch, 1, { children: [child] }),
    ];
    expect(await Promise.all([written, ...commits.map((commit) => store.commit(commit))])).toEqual([true, true, true]);
    const [begun] = await test.db.query("select parent_id, root_id from workflow_executions where id = $1", [childId]);
    expect(begun).toEqual({ parent_id: id, root_id: id });
  });

  it("are written up to the one that the database does not take", async () => {
    const { id, epoch } = await claimed();
    const [first, second, bad, after] = steps(id, epoch, 4, dice(3));
    if (first === undefined || second === undefined || bad === undefined || after === undefined)
      throw new Error("four");
    const refused = { ...bad, rows: [startOf("n9", TOO_MANY)] };
    const outcomes = await Promise.allSettled([first, second, refused, after].map((commit) => store.commit(commit)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[2]).toMatchObject({ reason: { code: "COMMIT_REFUSED" } });
    // What builds on the bad one finds the run elsewhere.
    expect(outcomes[3]).toMatchObject({ value: false });
    expect(await writtenOf(id)).toMatchObject({ runs: [{ steps: 1, seq: bad.seq }] });
  });

  it("do not pass one that begins a child, or a row's outcome", async () => {
    const { id, epoch } = await claimed();
    const [childId = 0] = await store.executions(1);
    const request: NewChild["request"] = { kind: "workflow", workflowId, workflowVersion: 1, input: {}, part: null };
    const child: NewChild = { id: childId, nodeId: "a", visit: 1, item: null, depth: 1, options: null, request };
    const row = { nodeId: "a", visit: 1, item: null };
    const commits = [
      commitOf(id, epoch, 0, { rows: [startOf("a", 1)] }),
      commitOf(id, epoch, 1, { children: [child] }),
      commitOf(id, epoch, 2, { rows: [finishOf("a", 1, 1)] }),
      commitOf(id, epoch, 3, { rows: [{ type: "wait", ...row, status: "paused", wait: null }] }),
    ];
    expect(await Promise.all(commits.map((commit) => store.commit(commit)))).toEqual([true, true, true, true]);
    const [begun] = await test.db.query("select parent_seq from workflow_executions where id = $1", [childId]);
    expect(begun).toEqual({ parent_seq: 2 });
    expect((await writtenOf(id)).nodes).toMatchObject([{ status: "completed" }]);
  });
});
