import { createRuntime, createSystemModule, defineModule, type ServiceMap } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";
import { nodeTools } from "./node-tools.ts";

let oven: TestOven;
let services: ServiceMap;
beforeAll(async () => {
  const tests = defineModule({
    ...{ name: "module-test", namespace: "test", description: "Tests.", dependencies: [] },
    services: async (deps) => {
      services = deps.services;
      return {};
    },
  });
  const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), tests];
  oven = await startTestOven({ createRuntime, modules });
});
afterAll(() => oven.stop());

async function find(words: string, more: object = {}): Promise<{ id: string; category: string; about: string }[]> {
  const tool = nodeTools(() => services.workflowPlatform.nodes).find(({ id }) => id === "nodes.find");
  if (tool === undefined) throw new Error("there is no such tool");
  const input = tool.input.parse({ words, ...more });
  const signal = AbortSignal.timeout(5_000);
  const principal = { kind: "system", userId: null, tenantId: 1, permissions: ["*"] } as const;
  const answer = await tool.run({
    input,
    principal: { ...principal, permissions: ["*"] },
    signal,
    idempotencyKey: "k",
    services,
  });
  return (answer as { nodes: { id: string; category: string; about: string }[] }).nodes; // cast: its output schema
}

it("finds what people of other products call a step first, the states of the format among them", async () => {
  expect((await find("loop"))[0]).toMatchObject({ id: "loop", category: "structure" });
  expect((await find("for each"))[0]?.id).toBe("loop");
  expect((await find("if")).slice(0, 3).map(({ id }) => id)).toContain("choice");
  expect((await find("http"))[0]?.id).toBe("core.http");
  expect((await find("", { category: "structure" })).map(({ id }) => id)).toContain("parallel");
});

it("answers what has most of the words where nothing has all of them, and few and short", async () => {
  const found = await find("call an http service and wait");
  expect(found.map(({ id }) => id)).toContain("core.http");
  expect(found.length).toBeLessThanOrEqual(10);
  for (const { about } of found) expect(about.length).toBeLessThanOrEqual(220);
  expect(await find("qqqqqq")).toEqual([]);
});
