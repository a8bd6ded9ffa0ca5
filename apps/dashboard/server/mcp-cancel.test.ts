import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport as Transport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { installedModules } from "@oven/installation";
import { TEST_KEY } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createHttpServer } from "./http-server.ts";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";

const WAITING = {
  initial: "wait",
  states: {
    wait: { invoke: { src: "core.delay", input: { ms: 3_600_000 }, onDone: "done" } },
    done: { type: "final" },
  },
};
const ASKING = {
  initial: "ask",
  states: {
    ask: { invoke: { src: "agent.humanReview", input: { title: "Go on?", show: "this" }, onDone: "done" } },
    done: { type: "final" },
  },
};

/** A client, and its call of the only tool of a server. */
interface Caller {
  call(signal: AbortSignal): Promise<unknown>;
  /** Closes its connections. */
  close(): Promise<void>;
  /** Ends its session. */
  terminate(): Promise<void>;
}
type Connect = (server: string, key?: string, onAsked?: () => void) => Promise<Caller>;

const toTool = (server: string) => server.replaceAll("-", "_");

describe("a client that ends its call", () => {
  let endpoint: McpEndpoint;
  const callers: Caller[] = [];
  const readers: (ReadableStreamDefaultReader | undefined)[] = [];

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: false }) });
  });
  afterAll(async () => {
    await Promise.all([...callers.map((caller) => caller.close()), ...readers.map((reader) => reader?.cancel())]);
    await endpoint.close();
  });

  const connectV1 =
    (session: boolean): Connect =>
    async (server, key = TEST_KEY, onAsked = () => undefined) => {
      const capabilities = session ? { elicitation: {} } : {};
      const client = new LegacyClient({ name: "v1", version: "1.0.0" }, { capabilities });
      if (session)
        client.setRequestHandler(ElicitRequestSchema, () => {
          onAsked();
          return new Promise(() => {});
        });
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      const transport = new LegacyTransport(endpoint.urlOf(server), { requestInit });
      await client.connect(transport as Parameters<typeof client.connect>[0]); // cast: the SDK's own types disagree under exactOptionalPropertyTypes
      return remember({
        call: (signal) => client.callTool({ name: toTool(server), arguments: {} }, undefined, { signal }),
        close: () => client.close(),
        terminate: () => transport.terminateSession(),
      });
    };
  const connectV2 =
    (mode: "auto" | "legacy"): Connect =>
    async (server, key = TEST_KEY) => {
      const client = new Client({ name: "v2", version: "1.0.0" }, { versionNegotiation: { mode } });
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      const transport = new Transport(endpoint.urlOf(server), { requestInit });
      await client.connect(transport);
      return remember({
        call: (signal) => client.callTool({ name: toTool(server), arguments: {} }, { signal }),
        close: () => client.close(),
        terminate: () => transport.terminateSession(),
      });
    };
  const remember = (caller: Caller): Caller => {
    callers.push(caller);
    return caller;
  };
  const CLIENTS: [name: string, connect: Connect][] = [
    ["v1 without a session", connectV1(false)],
    ["v1 with a session", connectV1(true)],
    ["v2 on an older revision", connectV2("legacy")],
    ["v2 on 2026-07-28", connectV2("auto")],
  ];

  let made = 0;
  async function exportWorkflow(definition: object): Promise<string> {
    const slug = `waiting-${++made}`;
    const body = { name: slug, slug, definition, mcpExport: true };
    const { status, body: answer } = await endpoint.oven.call("POST", "agent-workflows", body);
    expect(status, JSON.stringify(answer)).toBe(201);
    return slug;
  }
  const runsOf = async (slug: string) =>
    endpoint.oven.db.query<{ id: number; status: string }>(
      `select e.id, e.status from agent_workflow_executions e join agent_workflows w on w.id = e.agent_workflow_id
       where w.slug = $1 order by e.id`,
      [slug],
    );
  const statusOf = async (slug: string) => (await runsOf(slug)).map(({ status }) => status);

  /** A call whose run waits. @returns how the client ends it */
  async function begin(slug: string, caller: Caller, status = "running"): Promise<() => Promise<void>> {
    const giving = new AbortController();
    const call = caller.call(giving.signal).catch(() => undefined);
    await vi.waitUntil(async () => (await statusOf(slug)).includes(status), { timeout: 60_000 });
    return async () => {
      giving.abort();
      await call;
    };
  }
  const isCancelled = (slug: string) => expect.poll(() => statusOf(slug), { timeout: 30_000 }).toEqual(["cancelled"]);

  it.each(CLIENTS)("ends a run for which nothing else waits: %s", async (_name, connect) => {
    const slug = await exportWorkflow(WAITING);
    const end = await begin(slug, await connect(slug));
    await end();
    await isCancelled(slug);
    const [run] = await runsOf(slug);
    const { body } = await endpoint.oven.call("GET", `agent-workflow-executions/${run?.id}`);
    expect(JSON.stringify(body)).toContain("Its MCP client ended the call");
  });

  it.each(CLIENTS)("leaves a run that the workflow goes on with: %s", async (_name, connect) => {
    const spared = await exportWorkflow({ ...WAITING, mcp: { cancelOnAbort: false } });
    const other = await exportWorkflow(WAITING);
    const ends = [await begin(spared, await connect(spared)), await begin(other, await connect(other))];
    for (const end of ends) await end();
    await isCancelled(other);
    expect(await statusOf(spared)).toEqual(["running"]);
  });

  it("leaves a run that is followed elsewhere, unless the workflow says otherwise", async () => {
    const followed = await exportWorkflow(WAITING);
    const regardless = await exportWorkflow({ ...WAITING, mcp: { cancelOnAbort: true } });
    for (const slug of [followed, regardless]) {
      const end = await begin(slug, await connectV2("auto")(slug));
      const [run] = await runsOf(slug);
      const events = await endpoint.oven.fetch(`agent-workflow-executions/${run?.id}/events`);
      const reader = events.body?.getReader();
      await reader?.read();
      await end();
      if (slug === regardless) await isCancelled(slug);
      else readers.push(reader);
    }
    expect(await statusOf(followed)).toEqual(["running"]);
  });

  it.each([
    [undefined, "paused"],
    [true, "cancelled"],
  ])("while its user is asked, leaves the review to others unless cancelOnAbort is true (%s)", async (set, status) => {
    const slug = await exportWorkflow({ ...ASKING, ...(set === undefined ? {} : { mcp: { cancelOnAbort: set } }) });
    const other = await exportWorkflow(WAITING);
    const asked = Promise.withResolvers<void>();
    const end = await begin(slug, await connectV1(true)(slug, TEST_KEY, asked.resolve), "paused");
    const endOther = await begin(other, await connectV1(true)(other));
    await asked.promise;
    await end();
    await endOther();
    await isCancelled(other);
    await expect.poll(() => statusOf(slug), { timeout: 30_000 }).toEqual([status]);
  });

  it.each([
    ["v1 without a session", connectV1(false)],
    ["v2 on 2026-07-28", connectV2("auto")],
  ])("by closing its connection, where it cannot come back: %s", async (_name, connect) => {
    const slug = await exportWorkflow(WAITING);
    const caller = await connect(slug);
    await begin(slug, caller);
    await caller.close();
    await isCancelled(slug);
  });

  it("does not end it with its session, nor when its key is revoked", async () => {
    const [ended, revoked, other] = [
      await exportWorkflow(WAITING),
      await exportWorkflow(WAITING),
      await exportWorkflow(WAITING),
    ];
    const session = await connectV1(true)(ended);
    await begin(ended, session);
    await session.terminate();
    const { body: key } = await endpoint.oven.call("POST", "api-keys", {
      name: "short",
      permissions: ["agent-workflows.execute"],
    });
    const params = { name: toTool(revoked), arguments: {}, _meta: { progressToken: 1 } };
    const stream = await fetch(endpoint.urlOf(revoked), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${key.key}`,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    expect((await endpoint.oven.call("DELETE", `api-keys/${key.id}`)).status).toBe(204);
    // It would go on for twenty seconds and answer; it ends without.
    expect(await stream.text()).not.toContain('"result"');
    const endOther = await begin(other, await connectV1(false)(other));
    await endOther();
    await isCancelled(other);
    expect([await statusOf(ended), await statusOf(revoked)]).toEqual([["running"], ["running"]]);
  });

  it("does not end it where the server stops: the run goes on at the next one", async () => {
    const [stopped, other] = [await exportWorkflow(WAITING), await exportWorkflow(WAITING)];
    const second = createHttpServer(
      (request) => endpoint.oven.handle(request),
      () => undefined,
    );
    second.server.listen(0, "127.0.0.1");
    await once(second.server, "listening");
    const { port } = second.server.address() as AddressInfo; // cast: it listens on TCP
    const client = new Client({ name: "v2", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    const requestInit = { headers: { authorization: `Bearer ${TEST_KEY}` } };
    await client.connect(new Transport(new URL(`http://127.0.0.1:${port}/api/mcp/${stopped}`), { requestInit }));
    const caller = remember({
      call: (signal) => client.callTool({ name: toTool(stopped), arguments: {} }, { signal }),
      close: () => client.close(),
      terminate: async () => undefined,
    });
    await begin(stopped, caller);
    const endOther = await begin(other, await connectV1(false)(other));
    await second.close();
    await endOther();
    await isCancelled(other);
    expect(await statusOf(stopped)).toEqual(["running"]);
  });

  it("ends its own call only, where another client with the same key counts its requests alike", async () => {
    const slug = await exportWorkflow(WAITING);
    const [one, two] = [await connectV1(false)(slug), await connectV1(false)(slug)];
    const end = await begin(slug, one);
    const giving = new AbortController();
    const second = two.call(giving.signal).catch(() => undefined);
    await vi.waitUntil(async () => (await runsOf(slug)).length === 2, { timeout: 60_000 });
    await end();
    await expect.poll(() => statusOf(slug), { timeout: 30_000 }).toEqual(["cancelled", "running"]);
    giving.abort();
    await second;
    await expect.poll(() => statusOf(slug), { timeout: 30_000 }).toEqual(["cancelled", "cancelled"]);
  });
});
