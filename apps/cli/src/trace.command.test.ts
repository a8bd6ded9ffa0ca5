import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { traceCommand } from "./trace.command.ts";

const RUN = "6f76656e-0002-8000-8000-000000000001";
const call = {
  tool: "query_db",
  input: { sql: "select 1" },
  output: null,
  duration_ms: 120_000,
  status: "timeout",
  error_message: "Query timed out",
};
const executor = {
  name: "",
  model: "gpt-4o",
  input: null,
  tools_used: [],
  tool_calls: [],
  iterations: [],
  exhausted: false,
};
const TRACE = {
  ...{ run_id: RUN, workflow_id: "0e299ff4-54f6-4222-8a01-dd5e2db40254", status: "partial_success" },
  ...{ started_at: "2026-01-16T09:00:00Z", completed_at: "2026-01-16T09:02:30Z", error_message: "Query timed out" },
  ...{ warnings: ["query_db has a new argument limit (int?)"], final_output: { prices: [] } },
  executor_runs: [
    {
      ...executor,
      executor_id: "fetch",
      status: "success",
      duration_ms: 45_000,
      tokens: { prompt: 1200, completion: 800, total: 2000 },
      structured_output: { prices: ["x".repeat(300)] },
    },
    {
      ...executor,
      executor_id: "compare",
      status: "failed",
      duration_ms: 120_000,
      tokens: { prompt: 0, completion: 0, total: 0 },
      structured_output: null,
      tool_calls: [call],
      error_message: "Query timed out",
    },
  ],
};

it("shows a run of a chain with its owner's key, and fails with it", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    response.end(JSON.stringify(TRACE));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on TCP
  let said = "";
  const run = (...more: string[]) =>
    traceCommand.run([RUN, "--url", url, "--key", "k", ...more], (text) => (said += text));
  expect(await run()).toBe(1);
  expect(asked).toEqual([`/api/executor-chain-runs/${RUN}/trace Bearer k`]);
  expect(said.split("\n")).toEqual([
    `${RUN}  partial_success  2026-01-16T09:00:00Z – 2026-01-16T09:02:30Z`,
    "! query_db has a new argument limit (int?)",
    "",
    "fetch  success  45000 ms  gpt-4o  1200 + 800 tokens",
    expect.stringMatching(/^ {2}= \{"prices":\["x+…$/),
    "",
    "compare  failed  120000 ms  gpt-4o  0 + 0 tokens",
    '  query_db  timeout  120000 ms  {"sql":"select 1"} → Query timed out',
    "  ✗ Query timed out",
    "",
  ]);
  said = "";
  await run("--json");
  expect(JSON.parse(said)).toEqual(TRACE);
  await expect(traceCommand.run([RUN], () => undefined)).rejects.toThrow("usage");
  server.close();
});
