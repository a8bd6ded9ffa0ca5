import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { installedModules } from "@oven/installation";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";

const echo = (more: object = {}) => ({
  initial: "say",
  states: {
    say: { invoke: { src: "core.transform", input: { mapping: { n: "$.trigger.n" } }, onDone: "done" } },
    done: { type: "final", output: "$.say_output" },
  },
  ...more,
});
const waits = (ms: number) => ({
  initial: "wait",
  states: {
    wait: { invoke: { src: "core.delay", input: { ms }, onDone: "done" } },
    done: { type: "final", output: 7 },
  },
});
const number = {
  $defs: { n: { type: "integer" } },
  type: "object",
  properties: { n: { $ref: "#/$defs/n" } },
  required: ["n"],
};

interface Result {
  isError?: boolean;
  structuredContent?: { status: string; output?: unknown; run: { id: number }; error?: string };
  content: { text: string }[];
}

/** Ten calls each; `pnpm scale:mcp` makes ten thousand. */
const ROUNDS = 9;

describe("an MCP server in trouble", () => {
  let oven: TestOven;
  let endpoint: McpEndpoint;
  const clients: Client[] = [];

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: false }) });
    oven = endpoint.oven;
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });
  afterAll(() => endpoint.close());

  async function exportWorkflow(name: string, definition: object, slug?: string) {
    const { body } = await oven.call("POST", "agent-workflows", {
      name,
      definition,
      mcpExport: true,
      ...(slug && { slug }),
    });
    return body as { id: number; slug: string; version: number };
  }

  async function connect(slug: string): Promise<Client> {
    const client = new Client({ name: "test", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(endpoint.urlOf(slug), {
      requestInit: { headers: { authorization: `Bearer ${TEST_KEY}` } },
    });
    await client.connect(transport as Parameters<typeof client.connect>[0]); // cast: the SDK's own types disagree under exactOptionalPropertyTypes
    clients.push(client);
    return client;
  }

  const callTool = async (client: Client, name: string, args: object): Promise<Result> =>
    (await client.callTool({ name, arguments: { ...args } })) as unknown as Result; // cast: the older result form is not sent

  async function post(slug: string, body: string, headers: Record<string, string> = {}) {
    const response = await fetch(endpoint.urlOf(slug), {
      method: "POST",
      headers: {
        authorization: `Bearer ${TEST_KEY}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body,
    });
    const text = await response.text();
    const messages = [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data ?? "null"));
    return { status: response.status, messages: messages.length > 0 ? messages : [JSON.parse(text)] };
  }

  it("keeps the answers of two clients apart that count their requests alike [004-010]", async () => {
    const { slug } = await exportWorkflow("Echo", echo());
    const [one, two] = await Promise.all([connect(slug), connect(slug)]);
    const started = await Promise.all(
      [one, two].map((client, which) =>
        Promise.all([0, 1, 2, 3, 4].map((n) => callTool(client, "echo", { n: `${which}-${n}` }))),
      ),
    );
    const crossed: unknown[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(
        [one, two].flatMap((client, which) =>
          [0, 1, 2, 3, 4].map(async (n) => {
            const id = started[which]?.[n]?.structuredContent?.run.id;
            const { structuredContent } = await callTool(client, "get_run", { id });
            const right =
              structuredContent?.run.id === id && JSON.stringify(structuredContent?.output) === `{"n":"${which}-${n}"}`;
            if (!right) crossed.push(id, structuredContent);
          }),
        ),
      );
    }
    expect(crossed).toEqual([]);
  }, 1_800_000);

  it("is written down by method and tool, with a digest of what was sent", async () => {
    const { slug } = await exportWorkflow("Evidence", echo());
    const client = await connect(slug);
    for (const n of ["first", "second"]) await callTool(client, "evidence", { n });
    const rows = await oven.db.query<{ action: string; argument_digest: string; target_id: string; outcome: string }>(
      "select action, argument_digest, target_id, outcome from audit_log where action like 'POST mcp/% tools/call%' and target_id = $1",
      [slug],
    );
    expect(rows).toHaveLength(2);
    for (const row of rows)
      expect(row).toMatchObject({ action: "POST mcp/[slug] tools/call evidence", outcome: "done" });
    expect(new Set(rows.map(({ argument_digest }) => argument_digest)).size).toBe(2);
    expect(rows.every(({ argument_digest }) => /^[0-9a-f]{64}$/.test(argument_digest))).toBe(true);
  });

  it("follows references inside the payload schema, in the list and in the check", async () => {
    const { slug } = await exportWorkflow("With references", echo({ payloadSchema: number, outputSchema: number }));
    const client = await connect(slug);
    const { tools } = await client.listTools();
    expect(tools[0]).toMatchObject({
      name: "with_references",
      inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    });
    expect((await callTool(client, "with_references", { n: 4 })).structuredContent).toMatchObject({ output: { n: 4 } });
    const refused = await callTool(client, "with_references", { n: "four" });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.content[0]?.text).toContain("integer");
  });

  const THEN = "then"; // a key that the linter takes for that of a promise
  const choice = { anyOf: [{ required: ["n"] }, { required: ["name"] }] };
  const condition = { if: { required: ["kind"] }, [THEN]: { required: ["n"] } };
  const patternProperties = { "^x-": { type: "string" } };
  const named = { "full name": { type: "string" } };
  it.each<[string, object, object, object]>([
    ["an object without properties", { type: "object" }, { type: "object", properties: {} }, { input: 1 }],
    [
      "a choice at the root",
      { type: "object", properties: { n: { type: "integer" } }, ...choice },
      {
        type: "object",
        properties: { n: { type: "integer" } },
        description: `Must also fit ${JSON.stringify(choice)}`,
      },
      { kind: "neither" },
    ],
    [
      "a name with a space, keys by a pattern and a condition",
      { type: "object", properties: { n: { type: "integer" }, ...named }, patternProperties, ...condition },
      {
        type: "object",
        properties: { n: { type: "integer" } },
        // In the order of a stored document.
        description: `Must also fit ${JSON.stringify({ ...condition, properties: named, patternProperties })}`,
      },
      { kind: "card" },
    ],
  ])("lists what every client takes of %s, and checks all of it", async (name, payloadSchema, listed, misfit) => {
    const { slug } = await exportWorkflow(`Takes ${name}`, echo({ payloadSchema }));
    const client = await connect(slug);
    const { tools } = await client.listTools();
    expect(tools[0]?.inputSchema).toEqual(listed);
    const [tool = ""] = tools.map((one) => one.name);
    expect((await callTool(client, tool, { n: 4 })).structuredContent).toMatchObject({ output: { n: 4 } });
    if (name === "an object without properties") return;
    const refused = await callTool(client, tool, misfit);
    expect(refused).toMatchObject({ isError: true });
    expect(refused.structuredContent).toBeUndefined();
  });

  it("says that a run failed whose output is not what it promised", async () => {
    const { slug } = await exportWorkflow(
      "Liar",
      echo({ outputSchema: { type: "object", properties: { n: { type: "integer" } } } }),
    );
    const client = await connect(slug);
    await client.listTools();
    expect(await callTool(client, "liar", { n: "text" })).toMatchObject({
      isError: true,
      structuredContent: { status: "failed", error: expect.stringContaining("outputSchema") },
    });
  });

  it.each(["get-run", "answer-review", "cancel-run", "list-runs", "score-run"])(
    "serves a workflow called %s beside the tool of that name",
    async (slug) => {
      await exportWorkflow(slug, echo(), slug);
      const client = await connect(slug);
      const { tools } = await client.listTools();
      const own = `run_${slug.replace("-", "_")}`;
      const following = ["get_run", "answer_review", "cancel_run", "list_runs", "score_run"];
      expect(tools.map(({ name }) => name)).toEqual([own, ...following]);
      expect((await callTool(client, own, { n: 1 })).structuredContent).toMatchObject({ output: { n: 1 } });
    },
  );

  it("lists its tools whatever type the payload schema claims", async () => {
    const { id } = await exportWorkflow("No object", echo());
    // Published before definitions were checked for it.
    await oven.db.query(
      `update agent_workflows set definition = jsonb_set(definition, '{payloadSchema}', '{"type":"string"}') where id = $1`,
      [id],
    );
    const [server] = (await oven.call("GET", 'mcp-servers?filter={"slug":"no-object"}')).body;
    expect((await oven.call("POST", `mcp-servers/${server.id}/regenerate`)).status).toBe(200);
    expect((await (await connect("no-object")).listTools()).tools[0]?.inputSchema.type).toBe("object");
  });

  it("answers a run that takes longer than the wait with its handle, which leads to the result [004-010]", async () => {
    const { slug } = await exportWorkflow("Slow", waits(3_600_000));
    const client = await connect(slug);
    vi.useFakeTimers({ toFake: ["Date"] });
    const answer = callTool(client, "slow", {});
    await vi.waitUntil(
      async () => {
        const runs = await oven.db.query("select id from agent_workflow_executions where waiting_until is not null");
        return runs.length > 0;
      },
      { timeout: 120_000 },
    );
    vi.setSystemTime(Date.now() + 20_001);
    const { structuredContent: handle } = await answer;
    expect(handle).toMatchObject({ status: "running", run: { id: expect.any(Number) } });
    expect(handle).not.toHaveProperty("output");
    expect((await callTool(client, "get_run", { id: handle?.run.id })).structuredContent).toMatchObject({
      status: "running",
    });
    vi.useRealTimers();
    const { slug: short } = await exportWorkflow("Short", waits(700));
    const { body: run } = await oven.call("POST", `agent-workflows/${short}/execute`, {});
    expect((await callTool(client, "get_run", { id: run.id, wait: 20 })).structuredContent).toMatchObject({
      status: "completed",
      output: 7,
    });
    await callTool(client, "cancel_run", { id: handle?.run.id });
  });

  it("tells of progress in the order of the run's log, counting up", async () => {
    const steps = ["a", "b", "c", "d"];
    const states = Object.fromEntries(
      steps.map((name, index) => [
        name,
        { invoke: { src: "core.log", input: { message: name }, onDone: steps[index + 1] ?? "done" } },
      ]),
    );
    const { slug } = await exportWorkflow("Steps", { initial: "a", states: { ...states, done: { type: "final" } } });
    const client = await connect(slug);
    const seen: { progress: number; message?: string | undefined }[] = [];
    await client.callTool({ name: "steps", arguments: {} }, undefined, {
      onprogress: (progress) => seen.push(progress),
    });
    expect(seen.map(({ message }) => message)).toEqual(
      steps.flatMap((name) => [`${name.toUpperCase()} started`, `${name.toUpperCase()} completed`]),
    );
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, index) => index + 1));
  });

  it("links to what is kept outside of an answer, which can be read as a resource", async () => {
    const { slug } = await exportWorkflow("Filing", echo());
    const client = await connect(slug);
    const { structuredContent: first } = await callTool(client, "filing", { n: "none" });
    const [row] = await oven.db.query<{ id: number }>(
      `insert into run_blobs (tenant_id, execution_id, node_id, visit, media_type, sha256, size, data)
       values (1, $1, 'say', 1, 'text/plain', repeat('0', 64), 5, convert_to('bread', 'UTF8')) returning id`,
      [first?.run.id],
    );
    const file = { $blob: row?.id, mediaType: "text/plain", bytes: 5, sha256: "0".repeat(64), summary: "bread" };
    const { content } = await callTool(client, "filing", { n: { files: [file, file] } });
    const uri = `oven://blobs/${row?.id}`;
    expect(content.slice(1)).toEqual([
      {
        type: "resource_link",
        uri,
        name: `artefact-${row?.id}`,
        mimeType: "text/plain",
        size: 5,
        description: "bread",
      },
    ]);
    expect((await client.readResource({ uri })).contents).toMatchObject([{ text: "bread" }]);
  });

  it("tells a client that asks for a log which step failed", async () => {
    const failing = { initial: "fail", states: { fail: { invoke: { src: "core.fail", input: { message: "no" } } } } };
    const { slug } = await exportWorkflow("Failing", failing);
    const params = {
      name: "failing",
      arguments: {},
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/logLevel": "info",
      },
    };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "failing" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const { messages } = await post(slug, body, headers);
    expect(messages.find(({ method }) => method === "notifications/message")?.params).toMatchObject({
      level: "warning",
      logger: "run",
      data: { step: "fail", message: "failed" },
    });
  });

  it("runs its own workflow, also when another one has taken the slug that both had", async () => {
    const { id, slug, version } = await exportWorkflow("Moved", echo());
    const config = {
      moduleName: "module-workflow-agents",
      key: "MCP_AUTO_REGENERATE",
      scopeId: String(id),
      value: false,
    };
    expect((await oven.call("POST", "module-configs", config)).status).toBe(201);
    const moved = await oven.call("PUT", `agent-workflows/${id}`, { version, slug: "moved-away" });
    expect([moved.status, moved.body.slug]).toEqual([200, "moved-away"]);
    const other = await exportWorkflow(
      "Other",
      { initial: "done", states: { done: { type: "final", output: 0 } } },
      slug,
    );
    expect(other.slug).toBe(slug);
    const { structuredContent } = await callTool(await connect(slug), "moved", { n: 7 });
    expect(structuredContent).toMatchObject({ status: "completed", output: { n: 7 } });
  });

  it("checks a call against the definition as it is now, not as it was listed", async () => {
    const { id, slug, version } = await exportWorkflow("Changing", echo());
    const client = await connect(slug);
    await client.listTools();
    const changed = await oven.call("PUT", `agent-workflows/${id}`, {
      version,
      definition: echo({ payloadSchema: number, mcpExport: true }),
    });
    expect(changed.status).toBe(200);
    expect(await callTool(client, "changing", { n: "old" })).toMatchObject({ isError: true });
    expect((await callTool(client, "changing", { n: 2 })).structuredContent).toMatchObject({ output: { n: 2 } });
  });

  it.each([
    ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"nope"}', 200, -32601],
    [
      "an unknown tool",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope","arguments":{}}}',
      200,
      undefined,
    ],
    ["broken JSON", "{{", 400, -32700],
    ["something that is no request", '{"a":1}', 400, undefined],
    ["an empty body", "", 400, undefined],
  ])("refuses %s", async (_name, body, status, code) => {
    await oven.call("POST", "agent-workflows", { name: "Sturdy", slug: "sturdy", definition: echo(), mcpExport: true });
    const answer = await post("sturdy", body);
    expect(answer.status).toBe(status);
    const [message] = answer.messages;
    expect(message.error !== undefined || message.result?.isError === true, JSON.stringify(message)).toBe(true);
    if (code !== undefined) expect(message.error.code).toBe(code);
  });

  it("takes a batch, answering each by its id, and no more than a megabyte", async () => {
    const { slug } = await exportWorkflow("Batch", echo());
    const call = (id: number, n: unknown) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "batch", arguments: { n } },
    });
    const { messages } = await post(slug, JSON.stringify([call(1, "x"), call(2, "y")]));
    const byId = new Map(messages.flat().map((message) => [message.id, message.result.structuredContent.output.n]));
    expect(Object.fromEntries(byId)).toEqual({ 1: "x", 2: "y" });
    expect((await post(slug, JSON.stringify(call(3, "x".repeat(1_100_000))))).status).toBe(413);
  });

  it("refuses arguments nested beyond measure and serves on", async () => {
    const { slug } = await exportWorkflow("Deep", echo());
    const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const before = await oven.db.query("select count(*) as runs from agent_workflow_executions");
    const { messages } = await post(
      slug,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deep","arguments":{"n":${nested}}}}`,
    );
    expect(messages[0].result.isError).toBe(true);
    expect(JSON.stringify(messages[0].result.content)).toContain("INVALID_INPUT");
    expect(await oven.db.query("select count(*) as runs from agent_workflow_executions")).toEqual(before);
    expect((await callTool(await connect(slug), "deep", { n: 1 })).structuredContent).toMatchObject({
      output: { n: 1 },
    });
  });
});
