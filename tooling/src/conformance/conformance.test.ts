import { afterAll, beforeAll, expect, it } from "vitest";
import { REVISIONS, runSuite } from "./run-suite.ts";
import { startSuiteServer } from "./suite-server.ts";

let server: Awaited<ReturnType<typeof startSuiteServer>>;

beforeAll(async () => {
  server = await startSuiteServer();
});
afterAll(() => server.stop());

it.each(REVISIONS)("a generated server passes every scenario that MCP %s requires of servers", async (revision) => {
  const { required, output } = await runSuite(revision, server.url);
  expect(required.length).toBeGreaterThanOrEqual(30);
  expect(
    required.filter(({ passed, failed }) => failed > 0 || passed === 0),
    output.slice(0, 20_000),
  ).toEqual([]);
});
