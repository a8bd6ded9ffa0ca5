import { Client } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { installedModules } from "@oven/installation";
import { TEST_KEY } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { insertKey } from "./testing/strangers.ts";

const PAUSING = {
  initial: "prepare",
  payloadSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  states: {
    prepare: {
      label: "Prepare the refund",
      invoke: { src: "core.transform", input: { mapping: { amount: "$.trigger.amount" } }, onDone: "review" },
    },
    review: {
      invoke: {
        src: "agent.humanReview",
        input: {
          title: "Refund it?",
          show: { refund: "$.trigger.amount" },
          context: { reason: "The parcel was lost on the way.", note: `long ${"x".repeat(9_000)}` },
          assignees: ["role:admin"],
          dueIn: "PT1H",
        },
        onDone: "sendMoney",
      },
    },
    sendMoney: { invoke: { src: "core.log", input: { message: "sent" }, onDone: "done" } },
    done: { type: "final", output: { refunded: "$.trigger.amount" } },
  },
};

interface Envelope {
  status: string;
  output?: unknown;
  run: { id: number };
  pending?: { reviewId: number; digest: string; [field: string]: unknown };
}
interface Called {
  isError?: boolean;
  structuredContent?: Envelope;
  content: { text: string }[];
}
interface Progress {
  progress: number;
  message?: string | undefined;
}

describe("a client that is asked in the middle of a call", () => {
  let endpoint: McpEndpoint;
  const legacy: LegacyClient[] = [];

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: false }) });
    await insertKey(endpoint.oven.db, { tenantId: 1, permissions: {}, role: "admin" });
    const made = await endpoint.oven.call("POST", "agent-workflows", {
      name: "Refunding",
      mcpExport: true,
      definition: PAUSING,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  });
  afterAll(async () => {
    await Promise.all(legacy.map((client) => client.close()));
    await endpoint.close();
  });

  async function connectV1(prepare?: (client: LegacyClient) => void): Promise<LegacyClient> {
    const client = new LegacyClient({ name: "v1", version: "1.0.0" }, { capabilities: { elicitation: {} } });
    prepare?.(client);
    const transport = new LegacyTransport(endpoint.urlOf("refunding"), {
      requestInit: { headers: { authorization: `Bearer ${TEST_KEY}` } },
    });
    await client.connect(transport as Parameters<typeof client.connect>[0]); // cast: the SDK's own types disagree under exactOptionalPropertyTypes
    legacy.push(client);
    return client;
  }
  const call = async (client: Pick<LegacyClient, "callTool"> | Pick<Client, "callTool">, reports: Progress[] = []) => {
    const params = { name: "refunding", arguments: { amount: 12 } };
    const onprogress = (progress: Progress) => reports.push(progress);
    const answer =
      client instanceof Client
        ? await client.callTool(params, { onprogress })
        : await (client as LegacyClient).callTool(params, undefined, { onprogress }); // cast: one of the two
    return answer as unknown as Called; // cast: the older result form is not sent
  };
  const isOpen = async (answer: Called) =>
    (await endpoint.oven.call("GET", `reviews/${answer.structuredContent?.pending?.reviewId}`)).body.status === "open";

  it("and has no handler for it gets the handle and what is pending", async () => {
    const answer = await call(await connectV1());
    expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy();
    expect(answer.structuredContent).toMatchObject({
      status: "paused",
      run: { id: expect.any(Number) },
      pending: { title: "Refund it?", digest: expect.any(String) },
    });
    expect(await isOpen(answer)).toBe(true);
  });

  it.each([
    ["declines", async () => ({ action: "decline" as const })],
    ["cancels", async () => ({ action: "cancel" as const })],
    ["answers what the form does not take", async () => ({ action: "accept" as const, content: { action: 7 } })],
    [
      "fails",
      async () => {
        throw new Error("the window was closed");
      },
    ],
  ])("and %s gets the handle and what is pending", async (_name, answerIt) => {
    const client = await connectV1((unconnected) =>
      unconnected.setRequestHandler(ElicitRequestSchema, answerIt as never),
    ); // cast: an answer that does not fit is meant
    const answer = await call(client);
    expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy();
    expect(answer.structuredContent).toMatchObject({ status: "paused", pending: { title: "Refund it?" } });
    expect(await isOpen(answer)).toBe(true);
  });

  it.each(["legacy", "auto"] as const)("and shows links only is not asked with a form (%s)", async (mode) => {
    const client = await endpoint.connect("refunding", { mode, capabilities: { elicitation: { url: {} } } });
    const answer = await call(client);
    expect(answer.structuredContent, JSON.stringify(answer)).toMatchObject({
      status: "paused",
      pending: { title: "Refund it?" },
    });
  });

  it("of 2026-07-28 finds the handle beside the question", async () => {
    const client = await endpoint.connect("refunding", { capabilities: { elicitation: { form: {} } } });
    const asked = (await client.request(
      { method: "tools/call", params: { name: "refunding", arguments: { amount: 12 } } },
      { allowInputRequired: true },
    )) as unknown as { _meta: Record<string, Envelope> }; // cast: of the manual way
    expect(asked._meta["oven/envelope"]).toMatchObject({
      status: "paused",
      run: { id: expect.any(Number) },
      pending: { title: "Refund it?" },
    });
  });

  it.each(["legacy", "auto"] as const)("gets what is wrong with a decision, and the handle (%s)", async (mode) => {
    const client = await endpoint.connect("refunding", {
      mode,
      capabilities: { elicitation: { form: {} } },
      prepare: (unconnected) =>
        unconnected.setRequestHandler("elicitation/create", async () => ({
          action: "accept",
          content: { action: "reject" },
        })),
    });
    const answer = await call(client);
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toContain("REASON_REQUIRED");
    expect(answer.structuredContent).toMatchObject({ status: "paused", pending: { title: "Refund it?" } });
    expect(await isOpen(answer)).toBe(true);
  });

  it.each([
    ["legacy", "decline"],
    ["auto", "decline"],
    ["legacy", "approve"],
    ["auto", "approve"],
  ] as const)("hears of each step once, by its label, counting up (%s, %s)", async (mode, decision) => {
    const client = await endpoint.connect("refunding", {
      mode,
      capabilities: { elicitation: { form: {} } },
      prepare: (unconnected) =>
        unconnected.setRequestHandler("elicitation/create", async () =>
          decision === "decline"
            ? { action: "decline" as const }
            : { action: "accept" as const, content: { action: decision } },
        ),
    });
    const reports: Progress[] = [];
    await call(client, reports);
    // The SDK's client of 2026-07-28 tells of its own rounds in between.
    const ours = reports.filter(({ message }) => !message?.startsWith("Fulfilling"));
    const before = ["Prepare the refund started", "Prepare the refund completed", "Review started"];
    const paused = [...before, "Review waits for a person"];
    const after = ["Review completed", "Send money started", "Send money completed"];
    expect(ours.map(({ message }) => message)).toEqual(decision === "approve" ? [...paused, ...after] : paused);
    expect(ours.map(({ progress }) => progress)).toEqual(ours.map((_, index) => index + 1));
  });

  it.each(["legacy", "auto"] as const)("is not asked for what its form has no fields for (%s)", async (mode) => {
    const name = `Form ${mode}`;
    const schema = { type: "object", properties: { iban: { type: "string" } }, required: ["iban"] };
    const states = {
      ask: { invoke: { src: "core.requestInput", input: { title: "Which account?", schema }, onDone: "done" } },
      done: { type: "final" },
    };
    const made = await endpoint.oven.call("POST", "agent-workflows", {
      name,
      mcpExport: true,
      definition: { initial: "ask", states },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const asked: unknown[] = [];
    const client = await endpoint.connect(made.body.slug, {
      mode,
      capabilities: { elicitation: { form: {} } },
      prepare: (unconnected) =>
        unconnected.setRequestHandler("elicitation/create", async ({ params }) => {
          asked.push(params);
          return { action: "accept", content: { action: "submit" } };
        }),
    });
    const answer = await client.callTool({ name: `form_${mode}`, arguments: {} });
    expect(answer.structuredContent).toMatchObject({ status: "paused", pending: { actions: ["submit"], schema } });
    expect(asked).toEqual([]);
  });

  it("reads what the inbox shows, and where the rest of it is", async () => {
    const messages: string[] = [];
    const client = await connectV1((unconnected) =>
      unconnected.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
        messages.push(params.message);
        return { action: "decline" };
      }),
    );
    const { structuredContent } = await call(client);
    const pending = structuredContent?.pending;
    expect(pending).toMatchObject({
      workflow: "Refunding",
      context: { reason: "The parcel was lost on the way.", note: expect.stringMatching(/^long x+…$/) },
      shortened: ["context"],
      assignees: ["role:admin"],
      dueAt: expect.stringMatching(/^\d{4}-/),
      tool: null,
      risk: null,
      url: `${endpoint.origin}/reviews/${pending?.reviewId}`,
    });
    expect(JSON.stringify(pending?.context).length).toBeLessThan(2_000);
    const [message = ""] = messages;
    for (const part of ["Refund it?", "12", "The parcel was lost on the way.", "admin", String(pending?.url)])
      expect(message).toContain(part);
    expect(message).toContain(String(pending?.dueAt).slice(0, 10));
    expect(message.length).toBeLessThan(2_000);
  });

  it("gets answers that fit the listed schemas from a server that an earlier release generated", async () => {
    const { db } = endpoint.oven;
    const select = "select tool_definitions as tools from mcp_server_definitions where slug = 'refunding'";
    type Stored = { outputSchema: { properties: Record<string, unknown> }; inputSchema: object };
    const [row] = await db.query<{ tools: Stored[] }>(select);
    const older = (row?.tools ?? []).map(({ outputSchema, ...tool }) => ({
      ...tool,
      outputSchema: {
        ...outputSchema,
        properties: { ...outputSchema.properties, pending: { type: "object", additionalProperties: false } },
      },
    }));
    await db.query("update mcp_server_definitions set tool_definitions = $1 where slug = 'refunding'", [
      JSON.stringify(older),
    ]);
    const client = await connectV1();
    await client.listTools();
    const paused = (await call(client)).structuredContent;
    expect(paused).toMatchObject({ status: "paused", pending: { workflow: "Refunding" } });
    const again = await client.callTool({ name: "get_run", arguments: { id: paused?.run.id } });
    expect(again.structuredContent).toMatchObject({ pending: { workflow: "Refunding" } });
  });
});
