import { afterAll, beforeAll, expect, it } from "vitest";
import { callInterleaved, type McpHarness, pauseOverRestart, startMcpHarness } from "./mcp-calls.ts";

let harness: McpHarness;

beforeAll(async () => {
  harness = await startMcpHarness();
});
afterAll(() => harness.stop());

it("answers of two MCP clients that count their requests alike do not cross", async () => {
  expect(await callInterleaved(harness, 300)).toEqual([]);
});

it("calls that wait for a person get their own result after the process was killed", async () => {
  expect(await pauseOverRestart(harness, 10)).toEqual([]);
});
