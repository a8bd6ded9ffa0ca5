import type { Json, JsonObject, Principal } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { NO_TOKENS } from "../plan/node-units.ts";
import type { RunState } from "../plan/run-state.ts";
import type { Ids } from "../ports.ts";
import type { ExecutionStore, NewExecution, RowChange, RunCommit } from "../store.ts";

const PRINCIPAL: Principal = { kind: "user", userId: 1, tenantId: 1, permissions: ["*"] };
const AT = "2026-01-01T00:00:00.000Z";
const LEASE = 60_000;

function state(more: Partial<RunState> = {}): RunState {
  return {
    value: "a",
    visits: { a: 1 },
    units: [],
    steps: 1,
    tokenUsage: NO_TOKENS,
    costMicros: 0,
    simulated: false,
    activeMs: 0,
    activeSince: null,
    startedAt: AT,
    wakeAt: null,
    patchBytes: 0,
    snapshotBytes: 0,
    ...more,
  };
}

function reviewOf(data: object): number {
  return "reviewId" in data ? Number(data.reviewId) : 0;
}

/** A commit that only adds an entry to the log. */
export function commitOf(executionId: number, epoch: number, seq: number, more: Partial<RunCommit> = {}): RunCommit {
  return {
    executionId,
    epoch,
    seq,
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
      steps: 1,
      simulated: false,
      startedAt: AT,
      completedAt: null,
      errorInfo: null,
    },
    state: state(),
    rows: [],
    reviews: [],
    events: [{ event: "log", at: AT, fields: { message: "one" } }],
    outbox: [],
    children: [],
    outgoing: [],
    signals: [],
    ...more,
  };
}

const start = (nodeId: string, more: Partial<Extract<RowChange, { type: "start" }>> = {}): RowChange => ({
  type: "start",
  nodeId,
  parentNodeId: null,
  nodeType: "core.log",
  nodeVersion: 1,
  visit: 1,
  attempt: 1,
  item: null,
  input: {},
  startedAt: AT,
  ...more,
});
const finish = (nodeId: string, more: Partial<Extract<RowChange, { type: "finish" }>> = {}): RowChange => ({
  type: "finish",
  nodeId,
  visit: 1,
  item: null,
  attempt: 1,
  status: "completed",
  output: {},
  error: null,
  tokenUsage: null,
  toolCalls: null,
  costMicros: 0,
  durationMs: 5,
  completedAt: AT,
  ...more,
});

/** What every store must do. `makeStore` gives a fresh one; `newExecution` what its `create` accepts. */
export function storeContract(
  name: string,
  makeStore: () => Promise<{ store: ExecutionStore; ids: Ids; newExecution?: Partial<NewExecution> }>,
): void {
  describe(`${name} as an execution store`, () => {
    async function setUp(input: JsonObject = {}, more: Partial<NewExecution> = {}) {
      const { store, ids, newExecution } = await makeStore();
      const create = () =>
        store.create({
          kind: "workflow",
          workflowId: 1,
          workflowVersion: 1,
          tenantId: 1,
          input,
          principal: PRINCIPAL,
          ...newExecution,
          ...more,
        });
      const id = await create();
      const claim = async (worker = "w1") => {
        const record = await store.claim(id, worker, LEASE);
        if (!record) throw new Error("not claimed");
        return record;
      };
      return { store, ids, id, claim, create };
    }

    it("creates children in the commit that plans them, linked to its entry of the log", async () => {
      const { store, ids, id, claim } = await setUp({ who: "parent" });
      const record = await claim();
      const [child = 0, other = 0] = await ids.executions(2);
      expect(other).not.toBe(child);
      const request = {
        kind: record.kind,
        workflowId: record.workflowId,
        workflowVersion: record.workflowVersion,
        part: "each",
        input: { item: "\u0000\ud800", index: 0 },
      };
      const children = [
        { id: child, nodeId: "each", visit: 2, item: "0", depth: 1, options: { maxTokens: 5 }, request },
        {
          id: other,
          nodeId: "each",
          visit: 2,
          item: "1",
          depth: 1,
          options: null,
          request: { ...request, part: null },
        },
      ];
      expect(await store.commit(commitOf(id, record.epoch + 1, 0, { children }))).toBe(false);
      expect(await store.read(child)).toBeUndefined();
      expect(await store.commit(commitOf(id, record.epoch, 0, { children }))).toBe(true);
      expect(await store.read(child)).toMatchObject({
        id: child,
        kind: record.kind,
        workflowId: record.workflowId,
        tenantId: record.tenantId,
        principal: record.principal,
        input: request.input,
        parent: { executionId: id, nodeId: "each", visit: 2, item: "0", seq: 1 },
        part: "each",
        depth: 1,
        options: { maxTokens: 5 },
        status: "pending",
      });
      expect(await store.read(other)).toMatchObject({ part: null, options: null });
      expect(await store.stuckRuns(new Date().toISOString(), 100)).toEqual(expect.arrayContaining([child, other]));
    });

    it("sends a commit's messages with it, each once", async () => {
      const { store, id, claim, create } = await setUp();
      const other = await create();
      const record = await claim();
      const signal = { type: "cancel" as const, data: { reason: null, by: "its parent run" } };
      const outgoing = [{ executionId: other, signal, dedupeKey: "cancel" }];
      expect(await store.commit(commitOf(id, record.epoch + 1, 0, { outgoing }))).toBe(false);
      expect(await store.signals(other)).toEqual([]);
      expect(await store.commit(commitOf(id, record.epoch, 0, { outgoing }))).toBe(true);
      expect(await store.commit(commitOf(id, record.epoch, 1, { outgoing }))).toBe(true);
      expect(await store.signals(other)).toMatchObject([signal]);
    });

    it("begins a run that was taken over with the state and context it was given, and tells its seed", async () => {
      const context = { seq: 0, values: { a: 1, "\u0000": ["\ud800"] }, writers: { a: "" } };
      const seed = { at: 5, value: "a", visits: { a: 1 }, units: [] };
      const { store, claim } = await setUp({}, { seed: { state: seed, context } });
      const record = await claim();
      expect(record).toMatchObject({ state: null, seed: { state: seed, context }, snapshot: null });
      const cause = { t: "seed", context } as unknown as Json; // cast: a snapshot is JSON
      await store.commit(
        commitOf(record.id, record.epoch, 0, { events: [{ event: "log", at: AT, fields: {}, cause }] }),
      );
      expect(await store.read(record.id)).toMatchObject({ seed: null });
      expect((await store.load(record.id, 0)).seed).toEqual(context);
      expect((await store.load(record.id, 1)).seed).toBeNull();
    });

    it("gives a run to one worker at a time, with a new epoch each time", async () => {
      const { store, id, claim } = await setUp({ hello: "world" });
      const first = await claim();
      expect(first).toMatchObject({
        id,
        kind: "workflow",
        status: "pending",
        seq: 0,
        state: null,
        snapshot: null,
        takenOver: false,
        signalled: false,
        input: { hello: "world" },
        principal: PRINCIPAL,
      });
      expect(await store.claim(id, "w2", LEASE)).toBeUndefined();
      expect(await store.release(id, first.epoch)).toBe(true);
      const second = await claim("w2");
      expect(second.epoch).toBeGreaterThan(first.epoch);
      expect(second.takenOver).toBe(false);
      await store.voidLeases();
      const third = await claim("w3");
      expect(third).toMatchObject({ takenOver: true });
      expect(await store.heartbeat(id, second.epoch, LEASE)).toMatchObject({ held: false });
      await store.sendSignal(id, { type: "cancel", data: { reason: null, by: "x" } }, "c");
      expect(await store.release(id, second.epoch), "a lost lease counts as released").toBe(true);
      expect(await store.heartbeat(id, third.epoch, LEASE)).toEqual({ held: true, signals: true, stops: false });
      await store.voidLeases();
      expect(await claim("w4")).toMatchObject({ signalled: true });
    });

    it("refuses an unknown run and one that has ended", async () => {
      const { store, id, claim } = await setUp();
      const { epoch } = await claim();
      const commit = commitOf(id, epoch, 0);
      expect(
        await store.commit({
          ...commit,
          columns: { ...commit.columns, status: "completed", output: "x", completedAt: AT },
        }),
      ).toBe(true);
      expect(await store.claim(id, "w2", LEASE)).toBeUndefined();
      expect(await store.claim(id + 1_000, "w2", LEASE)).toBeUndefined();
      expect(await store.commit(commitOf(id, epoch, 1))).toBe(false);
    });

    it("writes nothing for a stale epoch or sequence", async () => {
      const { store, id, claim } = await setUp();
      const { epoch } = await claim();
      expect(await store.commit(commitOf(id, epoch - 1, 0, { rows: [start("a")] }))).toBe(false);
      expect(await store.commit(commitOf(id, epoch, 3, { rows: [start("a")] }))).toBe(false);
      expect(await store.appendEvents(id, epoch, 3, [{ event: "log", at: AT, fields: {} }])).toBe(false);
      const { rows, log } = await store.load(id, 0);
      expect([rows, log]).toEqual([[], []]);
      expect(await store.commit(commitOf(id, epoch, 0))).toBe(true);
      expect(
        await store.appendEvents(id, epoch, 1, [
          { event: "log", at: AT, fields: {} },
          { event: "log", at: AT, fields: {} },
        ]),
      ).toBe(true);
      expect(await store.commit(commitOf(id, epoch, 3))).toBe(true);
    });

    it("gives state, snapshot, patches and outputs back exactly: key order, NUL, lone surrogates, __proto__", async () => {
      const { store, id, claim } = await setUp();
      const { epoch } = await claim();
      const waiting: Partial<RunState> = {
        history: { back: ["one", "two"] },
        timers: [{ stateId: "a", key: "PT1M", at: 1_767_225_660_000 }],
        timersFired: 3,
        loops: [{ stateId: "each", index: 4, failed: 1, last: null }],
        idle: [{ stateId: "a", for: "event", events: ["paid", "orders.*"], dueAt: AT }],
      };
      const odd = JSON.parse(
        '{"z":1,"a":"nul \\u0000 and \\ud800","__proto__":{"polluted":true},"n":1e21}',
      ) as JsonObject; // cast: JSON
      const ops = [
        { op: "add" as const, path: "/n", value: odd },
        { op: "output" as const, path: "/a_output", nodeId: "a", visit: 1 },
      ];
      await store.commit(commitOf(id, epoch, 0, { rows: [start("a", { input: odd })] }));
      await store.commit(
        commitOf(id, epoch, 1, {
          state: state({ value: { x: "y" }, ...waiting }),
          rows: [finish("a", { output: odd })],
          events: [
            { event: "node.completed", at: AT, fields: {}, patch: ops },
            { event: "log", at: AT, fields: {} },
          ],
          snapshot: { seq: 3, values: odd, writers: { b: "a", a: "" } },
        }),
      );
      const { log, outputs } = await store.load(id, 0);
      expect(log).toEqual([{ seq: 2, ops }]);
      expect(outputs).toEqual([{ nodeId: "a", visit: 1, output: odd }]);
      expect(JSON.stringify(outputs[0]?.output)).toBe(JSON.stringify(odd));
      expect((await store.load(id, 2)).log).toEqual([]);
      await store.release(id, epoch);
      const again = await claim();
      expect(again).toMatchObject({ seq: 3, state: { value: { x: "y" }, ...waiting } });
      expect(JSON.stringify(again.snapshot)).toBe(JSON.stringify({ seq: 3, values: odd, writers: { b: "a", a: "" } }));
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });

    it("gives back the rows of nodes that have not ended, with all their items", async () => {
      const { store, id, claim } = await setUp();
      const { epoch } = await claim();
      const items = [
        { key: "x", input: 1 },
        { key: "y", input: 2 },
      ];
      await store.commit(commitOf(id, epoch, 0, { rows: [start("a"), start("b", { input: { q: 1 } }), finish("a")] }));
      await store.commit(
        commitOf(id, epoch, 1, {
          rows: [
            {
              type: "wait",
              nodeId: "b",
              visit: 1,
              item: null,
              status: "running",
              wait: { for: "items", request: { items, concurrency: 2 } },
            },
            start("b", { item: "x" }),
            start("b", { item: "y" }),
          ],
        }),
      );
      await store.commit(
        commitOf(id, epoch, 2, {
          rows: [
            finish("b", { item: "x", output: "X" }),
            {
              type: "attempt",
              nodeId: "b",
              visit: 1,
              item: "y",
              attempt: 2,
              error: { code: "BUSY", nodeId: "b", message: "later" },
            },
          ],
        }),
      );
      const { rows } = await store.load(id, 0);
      expect(rows).toHaveLength(3);
      expect(rows).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            nodeId: "b",
            item: null,
            status: "running",
            input: { q: 1 },
            wait: { for: "items", request: { items, concurrency: 2 } },
          }),
          expect.objectContaining({ nodeId: "b", item: "x", status: "completed", output: "X", durationMs: 5 }),
          expect.objectContaining({
            nodeId: "b",
            item: "y",
            status: "running",
            attempt: 2,
            error: { code: "BUSY", nodeId: "b", message: "later" },
          }),
        ]),
      );
    });

    it("keeps with a row what it asked its items for, through further attempts and while a person decides", async () => {
      const { store, id, claim } = await setUp();
      const { epoch } = await claim();
      const wait = { for: "items" as const, request: { items: [{ key: "0", input: 1 }], concurrency: 1 } };
      const at = { nodeId: "a", visit: 1, item: null };
      await store.commit(
        commitOf(id, epoch, 0, { rows: [start("a"), { type: "wait", ...at, status: "running", wait }] }),
      );
      await store.commit(commitOf(id, epoch, 1, { rows: [{ type: "wait", ...at, status: "paused", wait: null }] }));
      expect((await store.load(id, 0)).rows).toMatchObject([{ status: "paused", wait }]);
      await store.commit(commitOf(id, epoch, 2, { rows: [{ type: "attempt", ...at, attempt: 2, error: null }] }));
      expect((await store.load(id, 0)).rows).toMatchObject([{ status: "running", attempt: 2, wait }]);
    });

    it("keeps signals in order, once per key, until a commit consumes them; a release with signals is refused", async () => {
      const { store, id, claim } = await setUp();
      const { epoch } = await claim();
      const cancel = { type: "cancel" as const, data: { reason: null, by: "user 1" } };
      expect(
        await store.sendSignal(
          id,
          { type: "event", data: { event: "paid", payload: { n: 1 }, correlation: null } },
          "e1",
        ),
      ).toBe(true);
      expect(await store.sendSignal(id, cancel, "c")).toBe(true);
      expect(await store.sendSignal(id, cancel, "c")).toBe(false);
      const signals = await store.signals(id);
      expect(signals.map(({ type }) => type)).toEqual(["event", "cancel"]);
      expect(signals[0]?.data).toEqual({ event: "paid", payload: { n: 1 }, correlation: null });
      expect(await store.release(id, epoch)).toBe(false);
      expect(await store.heartbeat(id, epoch, LEASE)).toEqual({ held: true, signals: true, stops: false });
      await store.commit(commitOf(id, epoch, 0, { signals: [signals[0]?.id ?? 0] }));
      expect((await store.signals(id)).map(({ type }) => type)).toEqual(["cancel"]);
      await store.commit(commitOf(id, epoch, 1, { signals: [signals[1]?.id ?? 0] }));
      expect(await store.release(id, epoch)).toBe(true);
      expect(await store.sendSignal(id, cancel, "c")).toBe(false);
    });

    it("decides an open review once and signals its run; a closed one not at all", async () => {
      const { store, ids, id, claim } = await setUp();
      const { epoch } = await claim();
      const [one, two] = [await ids.review(), await ids.review()];
      const request = {
        title: "?",
        proposal: { a: 1 },
        schema: null,
        context: null,
        tool: null,
        assignees: ["role:lead"],
        actions: ["approve"],
        dueAt: null,
      };
      const open = (reviewId: number, nodeId: string) => ({
        type: "open" as const,
        id: reviewId,
        nodeId,
        visit: 1,
        item: null,
        request,
        digest: "d",
        createdAt: AT,
      });
      await store.commit(
        commitOf(id, epoch, 0, { rows: [start("a"), start("b")], reviews: [open(one, "a"), open(two, "b")] }),
      );
      await store.commit(
        commitOf(id, epoch, 1, { reviews: [{ type: "close", id: two, status: "cancelled", at: AT }] }),
      );
      await store.release(id, epoch);
      const decision = { action: "approve", data: { a: 2 }, reason: null, reviewer: 7, decidedAt: AT };
      const results = await Promise.all([
        store.decide(one, decision),
        store.decide(one, { ...decision, action: "reject" }),
        store.decide(two, decision),
      ]);
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(results[2]).toBe(false);
      expect(await store.signals(id)).toMatchObject([
        { type: "decision", data: { reviewId: one, nodeId: "a", visit: 1, item: null, reviewer: 7, decidedAt: AT } },
      ]);
    });

    it("decides a review at its deadline with the commit that says so, unless somebody has", async () => {
      const { store, ids, id, claim } = await setUp();
      const { epoch } = await claim();
      const due = (reviewId: number, action: "approve" | "expire") => ({
        type: "due" as const,
        id: reviewId,
        action,
        reason: action === "expire" ? null : "late",
        at: AT,
      });
      const numbers = [await ids.review(), await ids.review(), await ids.review()];
      const [one = 0, two = 0, three = 0] = numbers;
      const request = {
        title: "?",
        proposal: { a: 1 },
        schema: null,
        context: null,
        tool: null,
        assignees: ["role:lead"],
        actions: ["approve"],
        dueAt: AT,
      };
      const opened = { type: "open" as const, visit: 1, item: null, request, digest: "d", createdAt: AT };
      const nodes = ["a", "b", "c"];
      const reviews = numbers.map((review, index) => ({ ...opened, id: review, nodeId: nodes[index] ?? "" }));
      await store.commit(commitOf(id, epoch, 0, { rows: nodes.map((node) => start(node)), reviews }));
      await store.commit(
        commitOf(id, epoch, 1, {
          reviews: [
            { type: "escalate", id: three, assignees: ["role:boss"], dueAt: "2026-01-02T00:00:00.000Z", at: AT },
          ],
        }),
      );
      const decision = { action: "approve", data: { a: 2 }, reason: null, reviewer: 7, decidedAt: AT };
      expect(await store.decide(two, decision)).toBe(true);
      const lost = commitOf(id, epoch, 7, { reviews: [due(one, "expire")] });
      expect(await store.commit(lost)).toBe(false);
      const reviewsDue = [due(one, "approve"), due(two, "approve"), due(three, "expire")];
      expect(await store.commit(commitOf(id, epoch, 2, { reviews: reviewsDue }))).toBe(true);
      expect(await store.decide(one, decision)).toBe(false);
      expect(await store.decide(three, decision)).toBe(false);
      const said = (await store.signals(id)).map(({ data }) => data);
      expect(said.toSorted((left, right) => reviewOf(left) - reviewOf(right))).toMatchObject([
        {
          reviewId: one,
          nodeId: "a",
          action: "approve",
          data: { a: 1 },
          reason: "late",
          reviewer: null,
          deadline: true,
        },
        { reviewId: two, nodeId: "b", reviewer: 7, data: { a: 2 } },
        { reviewId: three, nodeId: "c", item: null, action: "expire", deadline: true },
      ]);
      expect(said.find((data) => reviewOf(data) === one)).toMatchObject({ decidedAt: AT, digest: "d", visit: 1 });
    });

    it("knows which runs are due, and which should be worked on and are not", async () => {
      const { store, id, claim, create } = await setUp();
      expect(await store.stuckRuns(AT, 10)).toContain(id);
      const { epoch } = await claim();
      expect(await store.stuckRuns(new Date(0).toISOString(), 10)).not.toContain(id);
      await store.commit(commitOf(id, epoch, 0, { wakeAt: "2026-01-01T00:00:10.000Z" }));
      await store.release(id, epoch);
      expect(await store.nextDue()).toBe("2026-01-01T00:00:10.000Z");
      expect(await store.dueRuns("2026-01-01T00:00:09.999Z", 10)).toEqual([]);
      expect(await store.dueRuns("2026-01-01T00:00:10.000Z", 10)).toEqual([id]);
      expect(await store.stuckRuns("2026-01-01T00:00:09.000Z", 10)).not.toContain(id);
      const again = await claim();
      const paused = commitOf(id, again.epoch, 1, { wakeAt: null });
      await store.commit({ ...paused, columns: { ...paused.columns, status: "paused" } });
      await store.release(id, again.epoch);
      expect(await store.nextDue()).toBeNull();
      const other = await create();
      expect(await store.stuckRuns(AT, 10)).toEqual([other]);
      await store.sendSignal(id, { type: "cancel", data: { reason: null, by: "x" } }, "c");
      expect((await store.stuckRuns(AT, 10)).sort()).toEqual([id, other].sort());
    });
  });
}
