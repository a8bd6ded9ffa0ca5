import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStock } from "./testing/stock-server.ts";
import { insertKey } from "./testing/strangers.ts";

interface Tool {
  name: string;
  description: string;
  input_schema: object;
  server: string;
  note?: string;
}

describe("tools of outside MCP servers in an installation", () => {
  const stocks: Awaited<ReturnType<typeof startStock>>[] = [];
  let oven: TestOven;

  beforeAll(async () => {
    stocks.push(await startStock(), await startStock());
    const outboundAllow = stocks.map(({ origin }) => origin);
    oven = await startTestOven({
      createRuntime,
      modules: installedModules({ demo: false }),
      environment: { outboundAllow },
    });
    for (const [at, { origin }] of stocks.entries()) {
      const { body } = await oven.call("POST", "mcp-connections", { name: `stock-${at}`, url: `${origin}/mcp` });
      const [tool] = (await oven.call("GET", `mcp-connections/${body.id}/tools`)).body;
      await oven.call("POST", `mcp-connections/${body.id}/tools/${tool.id}/approve`, { hash: tool.listedHash });
    }
  });
  afterAll(async () => {
    await oven.stop();
    for (const { server } of stocks) server.close();
  });

  const discover = async (key?: string) => {
    const { body } = await oven.call("GET", "linear-mcp-tools", undefined, key === undefined ? {} : { key });
    return (body as Tool[]).filter(({ server }) => server.startsWith("mcp."));
  };

  it("[000-182] are listed together, each with its server, description and schema", async () => {
    const tool = {
      description: expect.stringContaining("How many of an item there are"),
      input_schema: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    };
    expect(await discover()).toEqual([
      { ...tool, name: "mcp.stock-0.stock", server: "mcp.stock-0" },
      { ...tool, name: "mcp.stock-1.stock", server: "mcp.stock-1" },
    ]);
  });

  it("are another tenant's neither to see nor to use", async () => {
    const { key } = await insertKey(oven.db, { tenantId: 2, permissions: { "*": ["*"] } });
    expect(await discover(key)).toEqual([]);
    expect((await oven.call("GET", "mcp-connections", undefined, { key })).body).toEqual([]);
  });

  it("[000-183] of a server that does not answer hide no others, and say so", async () => {
    const [gone] = stocks;
    gone?.server.closeAllConnections();
    gone?.server.close();
    const [{ id }] = (await oven.call("GET", 'mcp-connections?filter={"name":"stock-0"}')).body;
    await oven.call("POST", `mcp-connections/${id}/refresh`, {});
    const [first, second] = await discover();
    expect(first).toMatchObject({ name: "mcp.stock-0.stock", note: expect.stringContaining("cannot be reached") });
    expect(second).toMatchObject({ name: "mcp.stock-1.stock" });
    expect(second?.note).toBeUndefined();
  });
});
