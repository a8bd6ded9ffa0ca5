import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRuntime } from "@oven/module-registry";
import { startTestOven } from "@oven/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { installedModules } from "./modules.ts";
import { startTelemetry } from "./telemetry.ts";

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number; arrayValue?: unknown } }[];
  status: { code?: number; message?: string };
}

describe("telemetry", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("costs nothing when nobody listens", async () => {
    expect(await startTelemetry({}, "1")).toBeUndefined();
  });

  it("sends a trace per run: run, nodes, model calls and tool calls, by OTLP", async () => {
    const spans: SentSpan[] = [];
    const resources: string[] = [];
    const collector = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = JSON.parse(Buffer.concat(chunks).toString());
      for (const { resource, scopeSpans } of body.resourceSpans) {
        resources.push(JSON.stringify(resource));
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    collector.listen(0, "127.0.0.1");
    await once(collector, "listening");
    const { port } = collector.address() as AddressInfo; // cast: it listens on TCP
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
    const telemetry = await startTelemetry(process.env, "0.1.0");
    const oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
    let executionId: number;
    try {
      const run = await oven.call("POST", "agent-workflows/support-reply/execute?wait=30", {
        input: { message: "Where is my order 8841?", orderId: 8841 },
      });
      executionId = run.body.id;
      expect(run.body.status).toBe("paused");
      const resumed = await oven.call("POST", `agent-workflow-executions/${executionId}/resume`, { action: "approve" });
      expect(resumed.body.status).toBe("completed");
    } finally {
      await oven.stop();
      await telemetry?.stop();
      collector.close();
    }
    const attributeOf = (span: SentSpan | undefined, key: string) => {
      const value = span?.attributes.find((attribute) => attribute.key === key)?.value;
      return value === undefined ? undefined : Object.values(value)[0];
    };
    const own = spans.filter((span) => Number(attributeOf(span, "oven.execution.id")) === executionId);
    const run = own.find(({ name }) => name === "run agent-workflow");
    expect(run?.parentSpanId ?? "").toBe("");
    expect(attributeOf(run, "oven.run.status")).toBe("completed");
    expect(Number(attributeOf(run, "gen_ai.usage.input_tokens"))).toBeGreaterThan(0);
    expect(new Set(spans.filter(({ traceId }) => traceId === run?.traceId).map(({ traceId }) => traceId)).size).toBe(1);
    const nodes = own.filter(({ name }) => name.startsWith("node "));
    expect(nodes.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "node agent.prompt",
        "node agent.llm",
        "node agent.toolExecutor",
        "node agent.humanReview",
      ]),
    );
    for (const node of nodes) expect([node.traceId, node.parentSpanId]).toEqual([run?.traceId, run?.spanId]);
    const chats = spans.filter((span) => attributeOf(span, "gen_ai.operation.name") === "chat");
    expect(chats.length).toBeGreaterThan(1);
    const llm = nodes.filter(({ name }) => name === "node agent.llm").map(({ spanId }) => spanId);
    for (const chat of chats) {
      expect(llm).toContain(chat.parentSpanId);
      expect(chat.name).toBe(`chat ${attributeOf(chat, "gen_ai.request.model")}`);
      expect(Number(attributeOf(chat, "gen_ai.usage.output_tokens"))).toBeGreaterThan(0);
      expect(attributeOf(chat, "gen_ai.response.finish_reasons")).toBeDefined();
      // The demo asks an alias; who answered is known afterwards.
      expect(attributeOf(chat, "gen_ai.provider.name")).toBe("simulated");
      expect(attributeOf(chat, "gen_ai.response.model")).toMatch(/./);
    }
    const tools = spans.filter((span) => attributeOf(span, "gen_ai.operation.name") === "execute_tool");
    expect(attributeOf(run, "gen_ai.operation.name")).toBe("invoke_workflow");
    expect(new Set(tools.map((span) => attributeOf(span, "gen_ai.tool.type")))).toEqual(new Set(["function"]));
    expect(tools.map((span) => attributeOf(span, "gen_ai.tool.name"))).toEqual(expect.arrayContaining(["orders.get"]));
    const [begin, end] = [BigInt(run?.startTimeUnixNano ?? 0), BigInt(run?.endTimeUnixNano ?? 0)];
    expect(end).toBeGreaterThan(begin);
    expect(resources[0]).toContain('"oven"');
    expect(JSON.stringify(spans)).not.toContain("Where is my order");
  });
});
