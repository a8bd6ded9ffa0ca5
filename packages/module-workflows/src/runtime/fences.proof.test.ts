import { migrate } from "@oven/db";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import type { RowChange, RunCommit, RunState } from "@oven/engine";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { regularTables } from "../tables/workflows.table.ts";
import { REGULAR } from "../workflow-kind.ts";
import { RunKinds } from "./run-kinds.ts";
import { SqlStore } from "./sql-store.ts";

const AT = "2026-01-01T00:00:00.000Z";
const LEASE_MS = 600_000;
const NO_TOKENS = { input: 0, output: 0, total: 0 };
const folder = (name: string) => ({ name, folder: new URL(`../../../${name}/migrations`, import.meta.url) });

const state: RunState = {
  value: "a",
  visits: {},
  units: [],
  steps: 0,
  tokenUsage: NO_TOKENS,
  costMicros: 0,
  simulated: false,
  activeMs: 0,
  activeSince: null,
  startedAt: AT,
  wakeAt: null,
  patchBytes: 0,
  snapshotBytes: 0,
};

function commitOf(executionId: number, epoch: number, seq: number, rows: RowChange[] = []): RunCommit {
  return {
    executionId,
    epoch,
    seq,
    state,
    rows,
    columns: {
      status: "running",
      outcome: null,
      currentState: "a",
      activeStates: ["a"],
      stateValue: "a",
      waitingUntil: null,
      checkpoint: null,
      output: null,
      tokenUsage: NO_TOKENS,
      costMicros: 0,
      steps: 0,
      simulated: false,
      startedAt: AT,
      completedAt: null,
      errorInfo: null,
    },
    reviews: [],
    events: [{ event: "log", at: AT, fields: { from: seq } }],
    outbox: [],
    children: [],
    outgoing: [],
    signals: [],
  };
}

const start: RowChange = {
  type: "start",
  nodeId: "a",
  parentNodeId: null,
  nodeType: "core.log",
  nodeVersion: 1,
  visit: 1,
  attempt: 1,
  item: null,
  input: {},
  startedAt: AT,
};
const finish = (status: "completed" | "failed", output: string): RowChange => ({
  type: "finish",
  nodeId: "a",
  visit: 1,
  item: null,
  attempt: 1,
  status,
  output,
  error: null,
  tokenUsage: null,
  toolCalls: null,
  costMicros: 0,
  durationMs: 1,
  completedAt: AT,
});

describe.each(testDatabases(inject("postgresUrl")))("what a late worker writes on $name", ({ open }) => {
  let test: TestDatabase;
  let store: SqlStore;
  let id: number;
  let epoch: number;

  beforeEach(async () => {
    test = await open();
    await migrate(test.db, ["module-registry", "module-roles", "module-workflows"].map(folder));
    const [workflow] = await test.db.query<{ id: number }>(
      "insert into workflows (tenant_id, name, slug, definition) values (1, 'Test', 'test', '{}') returning id",
    );
    const kinds = new RunKinds();
    kinds.add({
      kind: REGULAR,
      tables: regularTables,
    });
    store = new SqlStore(test.db, kinds, {
      onWritten: () => {},
      hasListeners: () => false,
      hasMatchingListener: () => false,
    });
    id = await store.create({
      kind: "workflow",
      workflowId: workflow?.id ?? 0,
      workflowVersion: 1,
      tenantId: 1,
      input: {},
      principal: { kind: "user", userId: 1, tenantId: 1, permissions: ["*"] },
    });
    epoch = (await store.claim(id, "one", LEASE_MS))?.epoch ?? 0;
    expect(await store.commit(commitOf(id, epoch, 0, [start]))).toBe(true);
  });
  afterEach(() => test.close());

  const log = async () => (await test.db.query("select seq from run_events order by seq")).map(({ seq }) => seq);
  const outcome = async () => {
    const [row] = await test.db.query("select status, output from node_executions where node_id = 'a'");
    return row;
  };

  it("under an old sequence is refused, though the lease is its own", async () => {
    expect(await store.commit(commitOf(id, epoch, 1))).toBe(true);
    expect(await store.commit(commitOf(id, epoch, 1))).toBe(false);
    expect(await store.commit(commitOf(id, epoch, 0))).toBe(false);
    expect(await store.commit(commitOf(id, epoch, 3))).toBe(false);
    expect(await log()).toEqual([1, 2]);
  });

  it("is refused entry by entry, too", async () => {
    const entries = [{ event: "log" as const, at: AT, fields: {} }];
    expect(await store.appendEvents(id, epoch, 1, entries)).toBe(true);
    expect(await store.appendEvents(id, epoch, 1, entries)).toBe(false);
    expect(await store.appendEvents(id, epoch - 1, 2, entries)).toBe(false);
    expect(await log()).toEqual([1, 2]);
  });

  it("never changes an outcome that is recorded", async () => {
    expect(await store.commit(commitOf(id, epoch, 1, [finish("completed", "first")]))).toBe(true);
    expect(await store.commit(commitOf(id, epoch, 2, [finish("failed", "second")]))).toBe(true);
    expect(await outcome()).toEqual({ status: "completed", output: "first" });
  });

  it("never makes a second row of a node run, and says that it was refused for good", async () => {
    await expect(store.commit(commitOf(id, epoch, 1, [start]))).rejects.toMatchObject({ code: "COMMIT_REFUSED" });
    expect(await test.db.query("select id from node_executions")).toHaveLength(1);
    expect(await log()).toEqual([1]);
  });
});
