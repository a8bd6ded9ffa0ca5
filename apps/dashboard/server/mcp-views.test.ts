import type { Client } from "@modelcontextprotocol/client";
import { APP_MEDIA_TYPE, APPS_EXTENSION, DECIDE_VIEW_TOOL, McpRunViewSchema, RUN_VIEW_TOOL } from "@oven/contract/mcp";
import { installedModules } from "@oven/installation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";

const REFUND = {
  initial: "look",
  states: {
    look: {
      label: "Look at the order",
      invoke: { src: "core.delay", input: { ms: 1 }, onDone: "ask" },
    },
    ask: {
      label: "Ask for the refund",
      invoke: { src: "agent.humanReview", input: { title: "Refund 12 euros?", show: "12 euros" }, onDone: "done" },
    },
    done: { type: "final", output: { refunded: true } },
  },
};
const SHOWS = { extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_MEDIA_TYPE] } } };

describe("views for MCP clients", () => {
  let endpoint: McpEndpoint;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: false }) });
    for (const [slug, mcpExport] of [
      ["refund", true],
      ["oven-run-view", true],
    ] as const) {
      const body = { name: slug, slug, definition: REFUND, mcpExport };
      const { status, body: answer } = await endpoint.oven.call("POST", "agent-workflows", body);
      expect(status, JSON.stringify(answer)).toBe(201);
    }
  });
  afterAll(() => endpoint.close());

  /** What a client is shown of the views. */
  async function shownTo(client: Client) {
    const [{ tools }, { resources }] = [await client.listTools(), await client.listResources()];
    return {
      tools: Object.fromEntries(
        tools.flatMap(({ name, _meta }) => (_meta?.ui === undefined ? [] : [[name, { ui: _meta.ui }]])),
      ),
      has: tools.map(({ name }) => name),
      views: resources.filter(({ uri }) => uri.startsWith("ui://")),
    };
  }

  it.each([
    ["2026-07-28", "auto", {}],
    ["an older revision, without a session", "legacy", {}],
    ["an older revision, with a session", "legacy", { elicitation: {} }],
  ] as const)("are listed for a client that shows them, on %s", async (_revision, mode, more) => {
    const client = await endpoint.connect("refund", { mode, capabilities: { ...SHOWS, ...more } });
    expect(client.getServerCapabilities()?.extensions).toHaveProperty(APPS_EXTENSION);
    const { tools, views } = await shownTo(client);
    expect(tools).toEqual({
      refund: { ui: { resourceUri: "ui://oven/run" } },
      get_run: { ui: { resourceUri: "ui://oven/run" } },
      answer_review: { ui: { resourceUri: "ui://oven/review" } },
      [RUN_VIEW_TOOL]: { ui: { visibility: ["app"] } },
      [DECIDE_VIEW_TOOL]: { ui: { visibility: ["app"] } },
    });
    const loadsNothing = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: false } };
    expect(views).toMatchObject([
      { uri: "ui://oven/run", mimeType: APP_MEDIA_TYPE, _meta: loadsNothing },
      { uri: "ui://oven/review", mimeType: APP_MEDIA_TYPE, _meta: loadsNothing },
    ]);
  });

  it.each([
    ["2026-07-28", "auto", {}],
    ["an older revision", "legacy", {}],
    ["an older revision, with a session", "legacy", { elicitation: {} }],
    [
      "2026-07-28, showing views of another type only",
      "auto",
      { extensions: { [APPS_EXTENSION]: { mimeTypes: ["text/html"] } } },
    ],
  ] as const)("are not there for other clients, on %s", async (_revision, mode, capabilities) => {
    const client = await endpoint.connect("refund", { mode, capabilities: { ...capabilities } as object });
    expect(client.getServerCapabilities()?.extensions ?? {}).not.toHaveProperty(APPS_EXTENSION);
    const { tools, has, views } = await shownTo(client);
    expect(tools).toEqual({});
    expect(views).toEqual([]);
    expect(has).toContain("refund");
    await expect(client.callTool({ name: RUN_VIEW_TOOL, arguments: { id: 1 } })).rejects.toThrow(/not found/);
    await expect(client.readResource({ uri: "ui://oven/run" })).rejects.toThrow(/not found/i);
  });

  it("leave a workflow alone whose own tool has the name of theirs", async () => {
    const client = await endpoint.connect("oven-run-view", { capabilities: SHOWS });
    expect(await shownTo(client)).toMatchObject({ tools: {}, views: [] });
    const { structuredContent } = await client.callTool({ name: RUN_VIEW_TOOL, arguments: {} });
    expect(structuredContent).toMatchObject({ status: "paused" });
  });

  it("are told of the steps by their labels, and of the open review, by those who may see the run", async () => {
    const client = await endpoint.connect("refund", { capabilities: SHOWS });
    const called = await client.callTool({ name: "refund", arguments: {} });
    const { id } = (called.structuredContent as { run: { id: number } }).run; // cast: the envelope's schema
    const viewOf = async (viewer: Client) => viewer.callTool({ name: RUN_VIEW_TOOL, arguments: { id } });
    const view = McpRunViewSchema.parse((await viewOf(client)).structuredContent);
    expect(view).toMatchObject({
      workflow: "refund",
      envelope: { status: "paused", run: { id } },
      steps: [
        { label: "Look at the order", status: "completed", visit: 1 },
        { label: "Ask for the refund", status: "paused", visit: 1, durationMs: null },
      ],
      reviews: [{ title: "Refund 12 euros?", proposal: "12 euros", mayDecide: true, executionId: id }],
    });
    const key = await endpoint.keyWith(["agent-workflows.execute", "reviews.decide"]);
    const other = await endpoint.connect("refund", { key, capabilities: SHOWS });
    const refused = await viewOf(other);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain("NOT_FOUND");

    const [review] = view.reviews;
    const decision = { reviewId: review?.id, digest: review?.digest, action: "approve" };
    // What the client has asked for itself, a model does not decide; a person does, in the view.
    const byModel = await client.callTool({ name: "answer_review", arguments: decision });
    expect(JSON.stringify(byModel.content)).toContain("REVIEW_NOT_YOURS");
    const byPerson = await client.callTool({ name: DECIDE_VIEW_TOOL, arguments: decision });
    expect(byPerson.isError).toBeUndefined();
    await expect
      .poll(async () => McpRunViewSchema.parse((await viewOf(client)).structuredContent))
      .toMatchObject({
        envelope: { status: "completed", output: { refunded: true } },
        steps: [{ status: "completed" }, { label: "Ask for the refund", status: "completed" }],
        reviews: [],
      });
  });
});
