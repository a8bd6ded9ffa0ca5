import { connectAs, toRefusal } from "./in-process-mcp.ts";
import { OPENS, type Way } from "./way.ts";

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

export const WAYS_OF_MCP: readonly Way[] = [ofWorkflow, executing];
