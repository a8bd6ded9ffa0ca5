import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ReadinessSchema } from "@oven/contract/system";
import { connectDatabase, type Database } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { spawnWorker, startWorker, type WorkerProcess } from "./testing/worker-process.ts";

interface Call {
  run: number;
  key: string;
  answer(): void;
}

/** A service that workflows call: each call is seen, and answered when the test says so. */
async function startLedger(): Promise<{ url: string; calls: Call[]; server: Server }> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    calls.push({
      run: Number(request.url?.slice(1)),
      key: String(request.headers["idempotency-key"]),
      answer: () => {
        if (!response.headersSent) response.writeHead(200, { "content-type": "application/json" }).end("{}");
      },
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo; // cast: it listens on TCP
  return { url: `http://127.0.0.1:${port}`, calls, server };
}

describe("workers on one database", () => {
  let database: { url: string; drop: () => Promise<void> };
  let db: Database;
  let oven: TestOven;
  let ledger: Awaited<ReturnType<typeof startLedger>>;
  const workers: WorkerProcess[] = [];
  let env: Record<string, string>;

  beforeEach(async () => {
    database = await createTestPostgres(inject("postgresUrl"));
    ledger = await startLedger();
    env = { DATABASE_URL: database.url, OVEN_OUTBOUND_ALLOW: ledger.url };
    db = await connectDatabase({ url: database.url, dataDir: "unused" });
    // The API's process works on no runs itself.
    oven = await startTestOven({
      createRuntime,
      db,
      modules: installedModules({ demo: false }),
      environment: { worker: { enabled: false, concurrency: 50, drainMs: 1_000 } },
    });
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) {
      worker.signal("SIGKILL");
      await worker.ended;
    }
    ledger.server.closeAllConnections();
    ledger.server.close();
    await oven.stop();
    await db.close();
    await database.drop();
  });

  async function work(more: Record<string, string> = {}): Promise<WorkerProcess> {
    const worker = await startWorker({ ...env, ...more });
    workers.push(worker);
    return worker;
  }

  /** Calls the ledger, then ends; or calls it twice. */
  async function createCaller(name: string, steps = 1): Promise<number> {
    const states: Record<string, object> = { done: { type: "final" } };
    for (let step = 1; step <= steps; step++) {
      states[`call${step}`] = {
        invoke: {
          src: "core.http",
          input: { method: "POST", url: `${ledger.url}/{{ $.execution.id }}` },
          retry: { maxAttempts: 1 },
          onDone: step === steps ? "done" : `call${step + 1}`,
        },
      };
    }
    const created = await oven.call("POST", "workflows", { name, definition: { initial: "call1", states } });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    return created.body.id;
  }

  const configure = async (key: string, value: number, scopeId: string | null) => {
    const set = await oven.call("POST", "module-configs", { moduleName: "module-workflows", key, value, scopeId });
    expect(set.status, JSON.stringify(set.body)).toBe(201);
  };
  const execute = async (name: string, body: object = {}): Promise<number> => {
    const run = await oven.call("POST", `workflows/${name}/execute`, body);
    expect(run.status, JSON.stringify(run.body)).toBe(202);
    return run.body.id;
  };
  const statusOf = async (id: number): Promise<string> =>
    (await oven.call("GET", `workflow-executions/${id}`)).body.status;
  const becomes = (id: number, status: string) => expect.poll(() => statusOf(id), { interval: 50 }).toBe(status);
  const called = (count: number) =>
    expect.poll(() => ledger.calls.length, { interval: 20 }).toBeGreaterThanOrEqual(count);
  const holderOf = async (id: number): Promise<WorkerProcess> => {
    const [row] = await db.query<{ lease_owner: string }>("select lease_owner from workflow_executions where id = $1", [
      id,
    ]);
    const holder = workers.find(({ pid }) => row?.lease_owner.startsWith(`${pid}-`));
    if (holder === undefined) throw new Error(`nobody holds run ${id}: ${row?.lease_owner}`);
    return holder;
  };

  it("run each run once, whoever takes it", async () => {
    await createCaller("caller");
    await Promise.all([work(), work(), work()]);
    const ids = await Promise.all(Array.from({ length: 60 }, () => execute("caller")));
    await called(60);
    for (const call of ledger.calls) call.answer();
    for (const id of ids) await becomes(id, "completed");
    expect(ledger.calls.map(({ run }) => run).sort()).toEqual([...ids].sort());
    const owners = await db.query<{ epoch: number }>("select distinct epoch from workflow_executions");
    expect(owners).toEqual([{ epoch: 1 }]);
  });

  it("told to stop, let calls finish, lose nothing and hand over what is left at once", async () => {
    await createCaller("two-calls", 2);
    const first = await work({ OVEN_WORKER_PORT: "0" });
    const id = await execute("two-calls");
    const notified = async (): Promise<string[]> => {
      const jobs = "select id from pgboss.job where data->>'executionId' = $1";
      return (await db.query<{ id: string }>(jobs, [String(id)])).map((job) => job.id);
    };
    await expect.poll(notified, { interval: 20 }).toHaveLength(1);
    const accepted = await notified();
    await called(1);
    const health = async (path = "") => (await fetch(`${first.health}${path}`)).status;
    expect([await health(), await health("/live"), await health("/ready")]).toEqual([200, 200, 200]);
    const readiness = async () => {
      const response = await fetch(first.health?.replace("/health", "/ready") ?? "");
      return { status: response.status, ...ReadinessSchema.parse(await response.json()) };
    };
    expect(await readiness()).toEqual({ status: 200, ready: true, database: true, migrations: true, draining: false });
    expect(await (await fetch(first.health?.replace("/health", "/metrics") ?? "")).text()).toContain(
      "oven_runs_active",
    );
    const second = await work();
    first.signal("SIGTERM");
    await expect.poll(() => health("/ready"), { interval: 20 }).toBe(503);
    expect(await (await fetch(`${first.health}/live`)).json()).toEqual({ live: true, ready: false, draining: true });
    // It lives, and is not to be asked any more.
    expect(await health()).toBe(200);
    expect(await readiness()).toEqual({ status: 503, ready: false, database: true, migrations: true, draining: true });
    // What comes now goes to the other one.
    const other = await execute("two-calls");
    await called(2);
    expect(await holderOf(other)).toBe(second);
    ledger.calls[0]?.answer();
    expect(await first.ended).toBe(0);
    // The others are notified, no sweep is needed: once when it was accepted, once now. The queue removes jobs a minute after their end.
    expect((await notified()).filter((job) => !accepted.includes(job))).toHaveLength(1);
    await called(3);
    expect(ledger.calls[2]?.run).toBe(id);
    expect(await holderOf(id)).toBe(second);
    for (const call of ledger.calls) call.answer();
    await becomes(id, "completed");
    // The call that was in flight was not made again.
    expect(ledger.calls.filter(({ run }) => run === id)).toHaveLength(2);
  });

  it("told to stop, do not wait for a call for ever; its run goes on elsewhere with the same key", async () => {
    await createCaller("hanging");
    const first = await work({ OVEN_DRAIN_SECONDS: "0.2" });
    const id = await execute("hanging");
    await called(1);
    first.signal("SIGTERM");
    expect(await first.ended).toBe(0);
    // Free at once, and still known to have been interrupted.
    expect(await db.query("select lease_until, lease_owner is null as forgotten from workflow_executions")).toEqual([
      { lease_until: null, forgotten: false },
    ]);
    await work();
    await called(2);
    expect(ledger.calls[1]).toMatchObject({ run: id, key: ledger.calls[0]?.key });
    ledger.calls[1]?.answer();
    await becomes(id, "completed");
  });

  it("told twice, end at once", async () => {
    await createCaller("hanging");
    const worker = await work({ OVEN_WORKER_PORT: "0" });
    await execute("hanging");
    await called(1);
    worker.signal("SIGTERM");
    // Two signals that nobody has heard yet are one.
    const live = async () => (await fetch(`${worker.health}/live`)).json();
    await expect.poll(live, { interval: 10 }).toMatchObject({ draining: true });
    worker.signal("SIGTERM");
    expect(await worker.ended).toBe(130);
  });

  it("killed, lose their runs to another one once the lease ends", async () => {
    await createCaller("caller");
    const first = await work();
    const id = await execute("caller");
    await called(1);
    first.signal("SIGKILL");
    await first.ended;
    const second = await work();
    // Fifteen seconds of lease in one step.
    await db.query("update workflow_executions set lease_until = now() - interval '1 second' where id = $1", [id]);
    await called(2);
    expect(await holderOf(id)).toBe(second);
    expect(ledger.calls[1]?.key).toBe(ledger.calls[0]?.key);
    ledger.calls[1]?.answer();
    await becomes(id, "completed");
  });

  it("hear of a signal to a run they hold, from a process that works on none and from one that has room itself", async () => {
    await createCaller("caller");
    await Promise.all([work(), work()]);
    await cancelFrom(false);
    await cancelFrom(true);
  });

  /** Three runs that the workers hold are cancelled by another process. */
  async function cancelFrom(enabled: boolean): Promise<void> {
    const before = ledger.calls.length;
    const ids = await Promise.all([execute("caller"), execute("caller"), execute("caller")]);
    await called(before + 3);
    const otherDb = await connectDatabase({ url: database.url, dataDir: "unused" });
    const other = await startTestOven({
      createRuntime,
      db: otherDb,
      modules: installedModules({ demo: false }),
      environment: { worker: { enabled, concurrency: 50, drainMs: 1_000 } },
    });
    // Heartbeats are five seconds apart: three signals that waited for one each would take ten seconds at least.
    const started = performance.now();
    for (const id of ids) {
      const cancelled = await other.call("POST", `workflow-executions/${id}/cancel`, {});
      expect(cancelled.body.status).toBe("cancelled");
    }
    expect(performance.now() - started).toBeLessThan(9_000);
    await other.stop();
    await otherDb.close();
  }

  it("keep a limit on runs at once between them, and start the most urgent next", async () => {
    const workflow = await createCaller("limited");
    await configure("MAX_CONCURRENT_RUNS", 2, String(workflow));
    await Promise.all([work(), work()]);
    const ids: number[] = [];
    for (const priority of [0, 0]) ids.push(await execute("limited", { priority }));
    await called(2);
    for (const priority of [0, -5, 5, 10, 0]) ids.push(await execute("limited", { priority }));
    const order: number[] = [];
    for (let round = 1; round <= ids.length; round++) {
      await called(Math.min(round + 1, ids.length));
      const [row] = await db.query<{ under_way: number }>(
        "select count(*) as under_way from workflow_executions where status = 'running'",
      );
      expect(row?.under_way).toBeLessThanOrEqual(2);
      const call = ledger.calls[round - 1];
      order.push(call?.run ?? 0);
      call?.answer();
      await becomes(call?.run ?? 0, "completed");
    }
    const [a, b, c, low, high, highest, d] = ids;
    expect(order.slice(0, 2).sort()).toEqual([a, b]);
    expect(order.slice(2)).toEqual([highest, high, c, d, low]);
  });

  it("refuse what would pile up, and say when to come again", async () => {
    const workflow = await createCaller("limited");
    await configure("MAX_PENDING_RUNS", 3, String(workflow));
    for (let accepted = 0; accepted < 3; accepted++) await execute("limited");
    const refused = await oven.call("POST", "workflows/limited/execute", {});
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: "TOO_MANY_RUNS", details: { limit: "MAX_PENDING_RUNS", value: 3 } } },
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await work();
    await called(3);
    await expect.poll(async () => (await oven.call("POST", "workflows/limited/execute", {})).status).toBe(202);
  });
});

describe("a worker that starts", () => {
  it("is refused without PostgreSQL, with one line", async () => {
    const { ended, output } = spawnWorker({});
    expect(await ended).toBe(1);
    expect(output()).toMatch(/^oven worker: DATABASE_URL: a worker needs PostgreSQL.*\n$/);
  });

  it("does so together with others on an empty database", async () => {
    const { url, drop } = await createTestPostgres(inject("postgresUrl"), { migrated: false });
    const started = await Promise.allSettled([1, 2, 3].map(() => startWorker({ DATABASE_URL: url, OVEN_DEMO: "1" })));
    const workers = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    for (const worker of workers) worker.signal("SIGTERM");
    expect(started.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    await drop();
  });
});
