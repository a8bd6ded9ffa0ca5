import type { Principal } from "@oven/contract";
import { toAgentCard, workflowSkills } from "./agent-card.ts";
import type { AgentTasksDeps } from "./agent-tasks.ts";
import { toInput } from "./message-input.ts";
import type { Served } from "./served.ts";

/** An exported workflow as an agent: a message starts a run of it. @throws OvenError NOT_FOUND */
export async function servedWorkflow(deps: AgentTasksDeps, principal: Principal, slug: string): Promise<Served> {
  const { face, services, publicUrl } = deps;
  const server = await services.agentWorkflows.exportedWorkflow(principal, slug);
  const { agentWorkflowId: workflowId, name, lastGeneratedAt: version, toolDefinitions } = server;
  const workflow = String(workflowId);
  const about = await face.workflows.get(principal, workflow);
  const description = about.description || `Runs the workflow ${name}.`;
  const [tool] = toolDefinitions;
  return {
    owner: { workflowId, agentId: null },
    card: toAgentCard({
      ...{ name, description, version, publicUrl, path: server.slug },
      skills: tool === undefined ? [] : workflowSkills(tool, description),
    }),
    dataSchema: tool?.inputSchema,
    starter: {
      permission: "agent-workflows.execute",
      toInput: (content) => toInput(content, tool?.inputSchema ?? {}),
      async start({ taskId }, input) {
        // A start that was cut off before the row said so is the same start again.
        const request = { workflow, input, triggerEvent: "a2a", idempotencyKey: `a2a:${taskId}` };
        return (await face.runs.execute(principal, request)).id;
      },
    },
  };
}
