import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { installedModules } from "@oven/installation";
import { TEST_KEY } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MCP_CLIENTS } from "./testing/mcp-clients.ts";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";

const ASKING = {
  initial: "ask",
  payloadSchema: { type: "object", properties: { question: { type: "string" } } },
  states: {
    ask: {
      invoke: { src: "agent.subagent", input: { agent: "clerk", message: "$.trigger.question" }, onDone: "look" },
    },
    look: {
      invoke: {
        src: "agent.toolLoop",
        input: { prompt: "$.trigger.question", tools: ["orders.*", "math.calculate", "web.*"] },
        onDone: "done",
      },
    },
    done: { type: "final" },
  },
};

describe("what MCP servers list", () => {
  let endpoint: McpEndpoint;
  let servers: string[];

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
    const make = async (path: string, body: object) => {
      const made = await endpoint.oven.call("POST", path, body);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      return made.body;
    };
    await make("agents", {
      name: "Clerk",
      slug: "clerk",
      systemPrompt: "Help.",
      model: "simulated:shop-assistant",
      exposedParameters: { type: "object", properties: { tone: { type: "string" } } },
    });
    const { id: workflowId, slug } = await make("agent-workflows", {
      name: "Asking",
      mcpExport: true,
      definition: ASKING,
    });
    const { id } = await make("triggers", {
      name: "Asking by a tool",
      type: "mcp",
      config: {},
      target: { kind: "agent-workflow", workflowId },
    });
    servers = [slug, `triggers/${id}`, "oven"];
  });
  afterAll(() => endpoint.close());

  it.each(MCP_CLIENTS)(
    "are tools whose schemas every client can convert, without references, for %s",
    async (_n, connect) => {
      const withReferences: string[] = [];
      for (const server of servers) {
        const client = await connect(endpoint.urlOf(server), TEST_KEY);
        for (const { name, inputSchema, outputSchema } of (await client.listTools()).tools) {
          const text = JSON.stringify([inputSchema, outputSchema ?? {}]);
          if (/"\$(ref|defs|dynamicRef|recursiveRef)"/.test(text)) withReferences.push(`${server} ${name}`);
        }
        await client.close();
      }
      expect(withReferences).toEqual([]);
    },
  );

  it("say nothing of what can be any JSON", async () => {
    const { tools } = await (await endpoint.connect("asking")).listTools();
    const propertiesOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
    expect(propertiesOf("answer_review").data).toEqual({ description: expect.any(String) });
    expect(propertiesOf("ask_clerk").parameters).toMatchObject({
      properties: { tone: { type: "string" } },
      additionalProperties: {},
    });
  });

  it("are empty for prompts and resources where there are none", async () => {
    const listed: Record<string, unknown> = {};
    const key = await endpoint.keyWith(["agent-workflows.execute", "agent-workflows.read", "triggers.fire"]);
    for (const server of servers) {
      const client = new LegacyClient({ name: "v1", version: "1.0.0" });
      const transport = new LegacyTransport(endpoint.urlOf(server), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      });
      await client.connect(transport as Parameters<typeof client.connect>[0]); // cast: the SDK's own types disagree under exactOptionalPropertyTypes
      const { prompts } = await client.listPrompts();
      const { resources } = await client.listResources();
      const { resourceTemplates } = await client.listResourceTemplates();
      listed[server] = [prompts, resources, resourceTemplates].map((list) => list.map(({ name }) => name));
      await client.close();
    }
    expect(listed).toEqual({
      asking: [[], ["definition"], ["run", "artefact"]],
      "triggers/1": [[], [], []],
      oven: [[], [], []],
    });
  });

  it("have tables with their first rows on the platform's own server, for those who may read them", async () => {
    const columns = [{ name: "city", type: "text" }];
    await endpoint.oven.call("POST", "tables", { name: "Places", columns });
    await endpoint.oven.call("POST", "tables/places/rows", { rows: [{ city: "Rome" }] });
    const client = await endpoint.connect("oven");
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toContain("oven://tables/places");
    const [content] = (await client.readResource({ uri: "oven://tables/places" })).contents;
    expect(JSON.parse(content !== undefined && "text" in content ? content.text : "null")).toMatchObject({
      columns: [{ name: "city", type: "text" }],
      rows: [{ values: { city: "Rome" } }],
      truncated: false,
    });
    await expect(client.readResource({ uri: "oven://tables/nowhere" })).rejects.toThrow();
  });

  it("have the platform's modules on the platform's own server, for those who may see them [004-251]", async () => {
    const client = await endpoint.connect("oven");
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toContain("oven://modules/module-workflow-agents");
    const [content] = (await client.readResource({ uri: "oven://modules/module-demo" })).contents;
    expect(JSON.parse(content !== undefined && "text" in content ? content.text : "null")).toMatchObject({
      description: expect.any(String),
      tools: expect.arrayContaining([expect.objectContaining({ id: "orders.get" })]),
    });
    await expect(client.readResource({ uri: "oven://modules/module-nothing" })).rejects.toThrow();
    const begun = await client.complete({
      ref: { type: "ref/resource", uri: "oven://modules/{name}" },
      argument: { name: "name", value: "module-work" },
    });
    expect(begun.completion.values).toContain("module-workflows");
  });
});
