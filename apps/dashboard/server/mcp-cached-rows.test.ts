import { installedModules } from "@oven/installation";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";

interface Answer {
  result?: {
    isError?: boolean;
    structuredContent?: { status: string; output?: unknown; run: { id: number } };
    content: { text: string }[];
  };
  error?: { code: string; message: string };
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const ofType = (type: string) => ({ type: "object", properties: { n: { type } }, required: ["n"] });
const saying = (said: unknown, n = "string") => ({
  initial: "say",
  payloadSchema: ofType(n),
  states: {
    say: { invoke: { src: "core.transform", input: { mapping: { n: "$.trigger.n" } }, onDone: "done" } },
    done: { type: "final", output: said },
  },
});

/** What a call goes by is kept in the process; what it must go by is in the database, where another process may have changed it. */
describe("a call of an MCP server that was called before", () => {
  let endpoint: McpEndpoint;
  let oven: TestOven;
  let number = 0;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: false }) });
    oven = endpoint.oven;
  });
  afterAll(() => endpoint.close());

  /** A server that has been called, so that what it takes is kept. */
  async function called(definition: object = saying("first")): Promise<{ id: number; slug: string }> {
    const name = `Kept ${++number}`;
    const made = await oven.call("POST", "agent-workflows", { name, mcpExport: true, definition });
    expect(made.status).toBe(201);
    const { id, slug } = made.body;
    expect((await call(slug, "text")).result?.structuredContent).toMatchObject({
      status: "completed",
      output: "first",
    });
    return { id, slug };
  }

  async function call(slug: string, n: unknown, key = TEST_KEY): Promise<Answer & { status: number }> {
    const name = slug.replaceAll("-", "_");
    const params = { name, arguments: { n }, _meta: META };
    const response = await fetch(endpoint.urlOf(slug), {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": name,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    return { status: response.status, ...((await response.json()) as Answer) }; // cast: JSON-RPC, or the platform's own error
  }
  const outputOf = async (slug: string, n: unknown) => (await call(slug, n)).result?.structuredContent?.output;
  /** A second version, as another process publishes it. */
  async function publishElsewhere(id: number, definition: object): Promise<void> {
    const given = [id, JSON.stringify(definition)];
    await oven.db.query(
      `insert into agent_workflow_versions (tenant_id, agent_workflow_id, version, definition, content_hash)
       values (1, $1, 2, $2::jsonb, 'elsewhere')`,
      given,
    );
    await oven.db.query("update agent_workflows set version = 2, definition = $2::jsonb where id = $1", given);
  }
  const runsOf = async (id: number) =>
    (await oven.db.query("select 1 from agent_workflow_executions where agent_workflow_id = $1", [id])).length;

  it("runs the version that is published by now, and takes what that takes", async () => {
    const { id, slug } = await called();
    const put = await oven.call("PUT", `agent-workflows/${id}`, {
      mcpExport: true,
      definition: saying("second", "integer"),
    });
    expect(put.status).toBe(200);
    expect(await outputOf(slug, 7)).toBe("second");
    const refused = await call(slug, "text");
    // In the words in which any call is refused, also a server's first.
    const said = expect.stringMatching(/^Input validation error: Invalid arguments for tool .*integer/);
    expect(refused.result).toMatchObject({ isError: true, content: [{ text: said }] });
    // One of each version; the call that found the kept one out of date has left no other.
    expect(await runsOf(id)).toBe(2);
  });

  it("runs it where another process has published it, with arguments that both versions take", async () => {
    const { id, slug } = await called();
    await publishElsewhere(id, saying("second"));
    expect(await outputOf(slug, "text")).toBe("second");
    expect(await outputOf(slug, "text")).toBe("second");
    expect(await runsOf(id)).toBe(3);
  });

  it("is refused where its workflow was disabled, deleted, or is exported no more", async () => {
    const { id, slug } = await called();
    expect((await oven.call("PUT", `agent-workflows/${id}`, { enabled: false })).status).toBe(200);
    expect(await call(slug, "text")).toMatchObject({ status: 404, error: { code: "MCP_SERVER_DISABLED" } });
    expect((await oven.call("PUT", `agent-workflows/${id}`, { enabled: true })).status).toBe(200);
    expect(await outputOf(slug, "text")).toBe("first");
    expect((await oven.call("PUT", `agent-workflows/${id}`, { mcpExport: false })).status).toBe(200);
    expect(await call(slug, "text")).toMatchObject({ status: 404, error: { code: "NOT_FOUND" } });
    expect((await oven.call("PUT", `agent-workflows/${id}`, { mcpExport: true })).status).toBe(200);
    expect(await outputOf(slug, "text")).toBe("first");
    expect((await oven.call("DELETE", `agent-workflows/${id}`)).status).toBe(204);
    expect(await call(slug, "text")).toMatchObject({ status: 404, error: { code: "NOT_FOUND" } });
  });

  it("is refused where another process has disabled it a moment ago", async () => {
    const { id, slug } = await called();
    await oven.db.query("update agent_workflows set enabled = false where id = $1", [id]);
    expect(JSON.stringify(await call(slug, "text"))).toContain("WORKFLOW_DISABLED");
    expect(await runsOf(id)).toBe(1);
  });

  it("is refused where another process has disabled its server alone, or given its slug away", async () => {
    const { id, slug } = await called();
    const setServer = (what: string) =>
      oven.db.query(`update mcp_server_definitions set ${what} where agent_workflow_id = $1`, [id]);
    await setServer("status = 'disabled'");
    expect(JSON.stringify(await call(slug, "text"))).toContain("MCP_SERVER_DISABLED");
    await setServer("status = 'active'");
    expect(await outputOf(slug, "text")).toBe("first");
    await setServer("slug = slug || '-elsewhere'");
    expect(JSON.stringify(await call(slug, "text"))).toContain("NOT_FOUND");
    expect(await runsOf(id)).toBe(2);
  });

  it("is checked against what its server promises by now, where another process has built that anew", async () => {
    const { id, slug } = await called({ ...saying("first"), outputSchema: { type: "string" } });
    await publishElsewhere(id, { ...saying({ n: 1 }), outputSchema: ofType("integer") });
    const promised = "{0,outputSchema,properties,output}";
    await oven.db.query(
      "update mcp_server_definitions set tool_definitions = jsonb_set(tool_definitions::jsonb, $2, $3::jsonb) where agent_workflow_id = $1",
      [id, promised, JSON.stringify(ofType("integer"))],
    );
    expect(await outputOf(slug, "text")).toEqual({ n: 1 });
  });

  it("is another workflow's where that has taken its slug", async () => {
    const { id, slug } = await called();
    expect((await oven.call("PUT", `agent-workflows/${id}`, { slug: `${slug}-old` })).status).toBe(200);
    const heir = { name: "Heir", slug, mcpExport: true, definition: saying("heir") };
    expect((await oven.call("POST", "agent-workflows", heir)).status).toBe(201);
    expect(await outputOf(slug, "text")).toBe("heir");
    expect(await outputOf(`${slug}-old`, "text")).toBe("first");
  });

  it("is nobody's whose key is bound to another workflow, or may run none", async () => {
    const { id, slug } = await called();
    const bound = await endpoint.keyWith(["agent-workflows.execute"], { workflows: ["agent-workflow:999999"] });
    expect(JSON.stringify(await call(slug, "text", bound))).toContain("NOT_FOUND");
    const reader = await endpoint.keyWith(["agent-workflows.read"]);
    expect(JSON.stringify(await call(slug, "text", reader))).toContain("FORBIDDEN");
    expect(await runsOf(id)).toBe(1);
  });

  it("is one row of the audit log, also where it is refused, and where its run fails", async () => {
    const { slug } = await called(saying("first"));
    const rows = async () =>
      oven.db.query(
        "select action, outcome, status, argument_digest, key_id from audit_log where target_id = $1 order by id",
        [slug],
      );
    const tool = slug.replaceAll("-", "_");
    const row = {
      action: `POST mcp/[slug] tools/call ${tool}`,
      outcome: "done",
      status: 200,
      argument_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      key_id: expect.any(Number),
    };
    await call(slug, "again");
    await call(slug, 7);
    expect(await rows()).toEqual([row, row, row]);
    expect(new Set((await rows()).map(({ argument_digest }) => argument_digest)).size).toBe(3);
  });
});
