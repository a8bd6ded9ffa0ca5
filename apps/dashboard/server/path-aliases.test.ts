import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

let oven: TestOven;
beforeAll(async () => {
  oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
});
afterAll(() => oven.stop());

it.each([
  ["mcp-server-definitions", "mcp-servers"],
  ["mcp-server-definitions/1", "mcp-servers/1"],
  ["ai/providers", "ai-providers"],
  ["ai/aliases", "ai-aliases"],
  ["ai/budgets", "ai-budgets"],
  ["ai/guardrails", "ai-guardrails"],
  ["ai/usage-logs", "ai-usage-logs"],
  ["ai/vector-stores", "vector-stores"],
])("answers at %s as at %s [004-287]", async (alias, path) => {
  const answer = await oven.call("GET", alias);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual((await oven.call("GET", path)).body);
});

it("asks for the same credentials and writes the same rows under another name of a path", async () => {
  expect((await oven.fetch("ai/providers", { headers: { authorization: "Bearer oven_wrong" } })).status).toBe(401);
  const created = await oven.call("POST", "ai/guardrails", {
    name: "No secrets",
    direction: "input",
    rule: { kind: "keyword", words: ["secret"] },
    action: "block",
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  expect((await oven.call("GET", `ai-guardrails/${created.body.id}`)).body).toEqual(created.body);
  expect((await oven.call("PATCH", "mcp-server-definitions", {})).status).toBe(405);
});
