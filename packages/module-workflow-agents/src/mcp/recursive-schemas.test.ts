import { defineTool } from "@oven/module-registry";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type AgentOven, startAgentOven } from "../agents/testing/agent-oven.ts";

const Tree = z.strictObject({
  name: z.string(),
  get children() {
    return z.array(Tree).optional();
  },
});
const FOREST = { name: "oak", children: [{ name: "acorn", children: [{ name: "leaf" }] }] };

let oven: AgentOven;

beforeAll(async () => {
  oven = await startAgentOven([], {
    tools: [
      defineTool({
        id: "shop.grow",
        title: "Grow",
        description: "Hands a tree on",
        input: z.strictObject({ tree: Tree }),
        output: Tree,
        effect: "pure",
        permission: "shop.use",
        run: async ({ input }) => input.tree,
      }),
    ],
  });
  const states = {
    grow: { invoke: { src: "agent.toolLoop", input: { prompt: "Grow", tools: ["shop.grow"] }, onDone: "done" } },
    done: { type: "final" },
  };
  const body = { name: "Growing", slug: "growing", mcpExport: true, definition: { initial: "grow", states } };
  expect((await oven.call("POST", "agent-workflows", body)).status).toBe(201);
});
afterAll(() => oven.stop());

async function ask(method: string, params: object) {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const text = await (await oven.fetch("mcp/growing", { method: "POST", headers, body })).text();
  return JSON.parse(text.replace(/^[\s\S]*?^data: /m, "")).result;
}

it("shows schemas that contain themselves without references, and checks all of them", async () => {
  const { tools } = await ask("tools/list", {});
  const tool = tools.find(({ name }: { name: string }) => name === "shop_grow");
  expect(tool).toMatchObject({
    inputSchema: { properties: { tree: { properties: { children: { type: "array" } } } } },
    outputSchema: { type: "object", properties: { children: { type: "array" } } },
  });
  expect(JSON.stringify(tool)).not.toMatch(/\$ref|\$defs/);
  expect(await ask("tools/call", { name: "shop_grow", arguments: { tree: FOREST } })).toMatchObject({
    structuredContent: FOREST,
  });
  const wrong = { name: "oak", children: [{ name: "acorn", children: [{ name: "leaf", children: [{ nome: 7 }] }] }] };
  expect(await ask("tools/call", { name: "shop_grow", arguments: { tree: wrong } })).toMatchObject({ isError: true });
});
