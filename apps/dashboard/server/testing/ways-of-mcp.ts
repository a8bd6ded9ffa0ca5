import { expect } from "vitest";
import { connectAs, toRefusal } from "./in-process-mcp.ts";
import { END, OPENS, refusalOf, type Way } from "./way.ts";

/* Each client is connected before a right is taken away: what counts is the call. */

/** The MCP server of a workflow. */
const ofWorkflow: Way = {
  name: "MCP server of a workflow",
  prepare: async ({ stage, author, by }) => {
    const { slug } = await stage.publish(OPENS, author, { mcpExport: true });
    const client = await connectAs(stage, slug, by);
    const [tool] = (await client.listTools()).tools;
    return () => toRefusal(client.callTool({ name: tool?.name ?? "", arguments: {} }));
  },
};

const executing: Way = {
  name: "execute_agent_workflow over MCP",
  prepare: async ({ stage, author, by }) => {
    const { slug } = await stage.publish(OPENS, author);
    const client = await connectAs(stage, "oven", by);
    return () =>
      toRefusal(client.callTool({ name: "execute_agent_workflow", arguments: { workflow_id: slug, input: {} } }));
  },
};

const testing: Way = {
  name: "test_agent_workflow over MCP",
  prepare: async ({ stage, author, by }) => {
    const { id } = await stage.publish({ initial: "done", states: { done: END } }, author);
    const draft = { definition: OPENS, baseVersion: 1, revision: 0 };
    await stage.ok("PUT", `agent-workflows/${id}/draft`, draft, author);
    const client = await connectAs(stage, "oven", by);
    const given = { workflow_id: id, input: {}, dry_run: false };
    return () => toRefusal(client.callTool({ name: "test_agent_workflow", arguments: given }));
  },
};

/** The author writes and publishes by a client, too. */
const built: Way = {
  name: "publish_agent_workflow over MCP",
  prepare: async ({ stage, author, by }) => {
    const writer = await connectAs(stage, "oven", author);
    const given = { name: stage.fresh("Built"), definition: OPENS };
    const made = await writer.callTool({ name: "create_agent_workflow", arguments: given });
    const { workflow_id } = made.structuredContent as { workflow_id: number }; // cast: the answer of that tool
    const publishing = { workflow_id, draft_revision: 1 };
    const live = await writer.callTool({ name: "publish_agent_workflow", arguments: publishing });
    expect(live.isError, JSON.stringify(live.content)).toBeFalsy();
    return async () =>
      refusalOf(await stage.oven.call("POST", `agent-workflows/${workflow_id}/execute`, { input: {} }, by));
  },
};

export const WAYS_OF_MCP: readonly Way[] = [ofWorkflow, executing, testing, built];
