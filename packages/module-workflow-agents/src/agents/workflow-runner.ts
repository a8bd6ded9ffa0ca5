import { isOvenError, type Principal, SYSTEM_PRINCIPAL, withoutBounds } from "@oven/contract";
import type { AgentRunner } from "@oven/module-agent-core";
import { runAgentOf, strictKeys, type WorkflowFace, type WorkflowPlatform } from "@oven/module-workflows";

/** Runs agents as agent workflows. */
export function createWorkflowRunner(face: WorkflowFace, platform: WorkflowPlatform): AgentRunner {
  const { workflows, runs } = face;
  return {
    async publish(tenantId, workflowId, workflow) {
      const owner = ownerOf(tenantId);
      if (workflowId !== null) {
        try {
          return (await workflows.update(owner, String(workflowId), workflow)).id;
        } catch (error) {
          // Somebody deleted it.
          if (!isOvenError(error) || error.code !== "NOT_FOUND") throw error;
        }
      }
      return (await workflows.create(owner, workflow)).id;
    },
    async requireWorkflow(principal, workflowId) {
      await workflows.get(principal, String(workflowId));
    },
    async inputKeys(principal, workflowId) {
      return strictKeys((await workflows.get(withoutBounds(principal), String(workflowId))).definition);
    },
    versionOf: (tenantId, workflowId, definition) =>
      workflows.versionOf(ownerOf(tenantId), String(workflowId), definition),
    async remove(tenantId, workflowId, force) {
      try {
        await workflows.delete(ownerOf(tenantId), String(workflowId), force);
      } catch (error) {
        if (!isOvenError(error) || error.code !== "NOT_FOUND") throw error;
      }
    },
    async start(principal, { workflowId, input, agent, modelSettings, idempotencyKey }) {
      const options = modelSettings === undefined ? undefined : { modelSettings };
      const request = { workflow: String(workflowId), input, agent, options, idempotencyKey, triggerEvent: "agent" };
      return (await runs.execute(principal, request)).execution.id;
    },
    follow: (principal, executionId, options) => runs.follow(principal, executionId, options),
    async summary(principal, executionId) {
      const [row, run] = await Promise.all([
        runs.reader.row(principal, executionId),
        runs.reader.summary(principal, executionId),
      ]);
      return { run, agent: runAgentOf(row) };
    },
    pending: (principal, executionId) => platform.reviews.open(principal, executionId),
  };
}

/** An agent's own workflow belongs to the agent's tenant, whoever changes the agent. */
function ownerOf(tenantId: number): Principal {
  return { ...SYSTEM_PRINCIPAL, tenantId };
}
