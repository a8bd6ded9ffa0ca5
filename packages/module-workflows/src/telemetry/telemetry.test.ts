import { createRuntime, createSystemModule, currentLogFields } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";
import { logNodes } from "./logged-runner.ts";
import { observeRuns } from "./observe-runs.ts";
import { RunMetrics } from "./run-metrics.ts";
import { isTraced } from "./telemetry.ts";
import { runSpanIds, toRunSpanContext } from "./trace-ids.ts";

describe("what a process says of its runs", () => {
  const lines: string[] = [];
  let oven: TestOven;
  beforeAll(async () => {
    vi.stubEnv("OVEN_LOG_FORMAT", "json");
    vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
      lines.push(String(chunk));
      return true;
    });
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules });
    const node = (src: string, input: object, onDone: string) => ({ invoke: { src, input, onDone } });
    const states = {
      say: node("core.log", { level: "warn", message: "hello", data: { secret: "of the run" } }, "wait"),
      wait: node("core.requestInput", {}, "fail"),
      fail: { invoke: { src: "core.fail", input: { message: "no {{ $.wait_output.data.key }}", code: "NO_LUCK" } } },
    };
    await oven.call("POST", "workflows", { name: "Orchard", definition: { initial: "say", states } });
    const run = await oven.call("POST", "workflows/orchard/execute?wait=20", { input: { password: "hunter2" } });
    await oven.call("POST", `workflow-executions/${run.body.id}/resume`, { action: "submit", data: { key: "k3y" } });
    await vi.waitFor(async () => {
      expect((await oven.call("GET", `workflow-executions/${run.body.id}`)).body.status).toBe("failed");
    }, 120_000);
    await oven.call("POST", "workflows/orchard/execute?wait=20", {});
  });
  afterAll(async () => {
    await oven.stop();
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it("is counted for Prometheus, without ids, tenants or names", async () => {
    const response = await oven.fetch("metrics");
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("text/plain; version=0.0.4"),
    ]);
    const text = await response.text();
    for (const line of [
      'oven_runs_started_total{kind="workflow"} 2',
      'oven_runs_ended_total{kind="workflow",status="failed"} 1',
      'oven_run_duration_seconds_count{kind="workflow"} 1',
      'oven_node_runs_total{node_type="core.log",status="completed"} 2',
      'oven_node_runs_total{node_type="core.fail",status="failed"} 1',
      'oven_node_duration_seconds_count{node_type="core.log"} 2',
      'oven_runs_live{kind="workflow",status="paused"} 1',
      "oven_runs_active 0",
    ]) {
      expect(text).toContain(`\n${line}\n`);
    }
    expect(text).toMatch(/\noven_commit_duration_seconds_count [1-9]/);
    expect(text).toContain("process_cpu_seconds_total");
    expect(text).not.toMatch(/orchard|tenant|execution/i);
  });

  it("is metered for those only who may read it", async () => {
    expect((await oven.call("GET", "metrics", undefined, { key: null })).status).toBe(401);
    expect((await oven.call("GET", "metrics", undefined, { key: "oven_wrong" })).status).toBe(401);
  });

  it("is logged as lines of JSON with the run's ids, and nothing of what it works on", () => {
    const logged = lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    const [first] = logged;
    expect(first).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: "info",
      message: "run started",
      event: "execution.started",
      executionId: expect.any(Number),
      kind: "workflow",
      workflowId: expect.any(Number),
      tenantId: 1,
    });
    const own = logged.filter(({ executionId }) => executionId === first.executionId);
    expect(own.map(({ level, message }) => `${level} ${message}`)).toEqual([
      "info run started",
      "warn hello",
      "info run paused",
      "info run resumed",
      "warn node failed",
      "error run failed",
    ]);
    expect(own[1]).toMatchObject({ nodeId: "say", visit: 1 });
    expect(own.at(-1)).toMatchObject({ errorCode: "NO_LUCK" });
    expect(lines.join("")).not.toMatch(/secret|hunter2|k3y/);
    for (const line of lines.filter((text) => text.startsWith("{"))) expect(line.indexOf("\n")).toBe(line.length - 1);
  });
});

describe("what is measured when metrics are read", () => {
  it("is left out and counted where it cannot be measured; the rest is answered", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const metrics = new RunMetrics(async () => {
      throw new Error("no database");
    }, [
      {
        name: "oven_of_a_module",
        help: "…",
        labels: ["kind"],
        read: async () => [{ labels: { kind: "a" }, value: 3 }],
      },
    ]);
    const { body } = await metrics.text();
    expect(body).toContain('\noven_of_a_module{kind="a"} 3\n');
    expect(body).toContain("\noven_gauges_unread 1\n");
    expect(body).not.toMatch(/^oven_runs_live[ {]/m);
    expect(warned).toHaveBeenCalledWith("measuring oven_runs_live failed:", expect.any(Error));
    warned.mockRestore();
  });

  it("counts the workflows beyond a thousand as others", async () => {
    const metrics = new RunMetrics(async () => []);
    const run = { kind: "workflow", workflowId: 0 } as Parameters<RunMetrics["onCommitted"]>[0]; // cast: what is read of it
    const columns = { status: "failed", startedAt: null, completedAt: null };
    const commit = { columns, events: [], rows: [] } as unknown as Parameters<RunMetrics["onCommitted"]>[1]; // cast: as above
    for (let workflowId = 1; workflowId <= 1_003; workflowId++) metrics.onCommitted({ ...run, workflowId }, commit, 1);
    const { body } = await metrics.text();
    expect(body).toContain('oven_workflow_runs_ended_total{kind="workflow",workflow_id="1000",status="failed"} 1\n');
    expect(body).toContain('oven_workflow_runs_ended_total{kind="workflow",workflow_id="other",status="failed"} 3\n');
  });
});

describe("runs that are lost", () => {
  it("are counted by the process that takes one over, and by the one whose commit came too late", async () => {
    const metrics = new RunMetrics(async () => []);
    type Store = Parameters<typeof observeRuns>[0];
    const store = observeRuns(
      {
        claim: async (id: number) => ({ id, takenOver: id === 2 }),
        commit: async () => false,
        release: async () => true,
      } as unknown as Store, // cast: what is called of it
      [metrics],
    );
    const lease = { worker: "w", leaseMs: 1 };
    await store.claim(1, lease.worker, lease.leaseMs);
    await store.claim(2, lease.worker, lease.leaseMs);
    await store.commit({ executionId: 1, columns: { status: "running" } } as Parameters<Store["commit"]>[0]); // cast: as above
    const { body } = await metrics.text();
    expect(body).toContain('\noven_lease_losses_total{seen="taken-over"} 1\n');
    expect(body).toContain('\noven_lease_losses_total{seen="fenced"} 1\n');
  });
});

describe("the console within a node", () => {
  it("is about its run, node and tenant", async () => {
    const seen: object[] = [];
    const note = async () => {
      await Promise.resolve();
      seen.push(currentLogFields());
      return { type: "done" as const, output: null };
    };
    const runner = logNodes({ run: note, resume: note, runItem: note });
    const call = {
      src: "core.http",
      node: { executionId: 7, kind: "workflow", nodeId: "fetch", visit: 2 },
      settings: { workflowId: 3 },
      principal: { tenantId: 5 },
    } as unknown as Parameters<typeof runner.run>[0]; // cast: what is read of it
    await runner.run(call);
    const about = {
      executionId: 7,
      kind: "workflow",
      workflowId: 3,
      tenantId: 5,
      nodeId: "fetch",
      nodeType: "core.http",
      visit: 2,
    };
    expect(seen).toEqual([about]);
    expect(currentLogFields()).toEqual({});
  });
});

describe("observers", () => {
  it("leave the store as it is when there are none", () => {
    const store = {} as Parameters<typeof observeRuns>[0]; // cast: nothing of it is called
    expect(observeRuns(store, [])).toBe(store);
  });
});

describe("trace ids", () => {
  it("are the same in every process, and different for every run and installation", () => {
    const one = toRunSpanContext("secret", 7, 9);
    expect(one).toEqual(toRunSpanContext("secret", 7, 9));
    expect(one.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(one.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(toRunSpanContext("secret", 7, 10)).toMatchObject({ traceId: one.traceId });
    expect(toRunSpanContext("secret", 7, 10).spanId).not.toBe(one.spanId);
    expect(toRunSpanContext("secret", 8, 9).traceId).not.toBe(one.traceId);
    expect(toRunSpanContext("other", 7, 9).traceId).not.toBe(one.traceId);
  });

  it("are set aside for one span only", () => {
    const own = { traceId: "1".repeat(32), spanId: "2".repeat(16) };
    expect(runSpanIds.use(own, () => [runSpanIds.generateTraceId(), runSpanIds.generateSpanId()])).toEqual([
      own.traceId,
      own.spanId,
    ]);
    const others = [runSpanIds.generateSpanId(), runSpanIds.generateSpanId(), runSpanIds.generateTraceId()];
    expect(new Set([...others, own.spanId, own.traceId]).size).toBe(5);
    expect(others[0]).toMatch(/^[0-9a-f]{16}$/);
  });

  it("are made only when spans are sent somewhere", () => {
    expect(isTraced({})).toBe(false);
    expect(isTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: "" })).toBe(false);
    expect(isTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" })).toBe(true);
    expect(isTraced({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://c:4318/v1/traces" })).toBe(true);
    expect(isTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_SDK_DISABLED: "true" })).toBe(false);
  });
});
