import type { McpServer, McpToolDefinition, Principal } from "@oven/contract";
import { violationsOf } from "@oven/engine";
import { type CacheEntry, requirePermission } from "@oven/module-registry";
import { createRunMcpServer, type McpOffer, sourceOf, type ToolCall } from "@oven/module-workflows";
import type { McpRegistry } from "./mcp-registry.ts";
import { toArtefactUri } from "./server-resources.ts";
import { admitCall, faceOf, requireActive, toStart, type WorkflowMcpDeps } from "./workflow-mcp-server.ts";

type Deps = WorkflowMcpDeps & { mcp: McpRegistry };

/** Whether the call runs the workflow, and nothing that is known of the server is against it. What is refused is read anew first. */
export function isPlainRun({ status, toolDefinitions: [tool] }: McpServer, { name, given }: ToolCall): boolean {
  if (status === "disabled" || tool === undefined || tool.name !== name) return false;
  return sourceOf(tool, 0).kind === "workflow" && violationsOf(tool.inputSchema, given, "$").length === 0;
}

/**
 * A server for one call that runs the workflow, by what is kept of it: with the one tool that is called. Whether it still stands is
 * told by the statement that writes the run.
 */
export function offerRun(
  deps: Deps,
  { value: row, rowVersion }: CacheEntry<McpServer>,
  principal: Principal,
): McpOffer {
  const { face, platform, publicUrl, signingKey, mcp } = deps;
  const { agentWorkflowId: workflowId, slug } = row;
  const calls = { runs: face.runs, reviews: platform.reviews, publicUrl, signingKey, workflowId };
  let tools = row.toolDefinitions.slice(0, 1);
  const shown = {
    ...faceOf(row, tools),
    checksInput: true,
    answersAs: (): McpToolDefinition | undefined => tools[0],
    admit: (tool: string) => admitCall(deps, row, principal, tool),
  };
  return {
    revision: row.updatedAt,
    createServer: () =>
      createRunMcpServer(shown, principal, { ...calls, artefactUri: toArtefactUri }, async (input) => {
        requirePermission(principal, "agent-workflows.execute");
        const asked = toStart(workflowId, input);
        const early = await face.runs.executeCached(principal, asked, [rowVersion]);
        if (early !== undefined) return early.id;
        const { value: current } = await mcp.read(principal, slug);
        requireActive(current);
        tools = current.toolDefinitions.slice(0, 1);
        return (await face.runs.execute(principal, toStart(current.agentWorkflowId, input))).id;
      }),
  };
}
