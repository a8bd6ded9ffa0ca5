import {
  isOvenError,
  type Json,
  type ListParams,
  type Principal,
  SYSTEM_PRINCIPAL,
  withoutBounds,
} from "@oven/contract";
import type { AgentSettings } from "@oven/contract/agent";
import { type AgentRunner, toDefinition } from "@oven/module-agent-core";
import { runAgentOf, strictKeys, type WorkflowFace, type WorkflowPlatform } from "@oven/module-workflows";

/** Runs agents as agent workflows. */
export function createWorkflowRunner(face: WorkflowFace, platform: WorkflowPlatform): AgentRunner {
  const { workflows, runs } = face;
  /** What runs of an agent with these settings are of. */
  const runOf = async (principal: Principal, settings: AgentSettings) => {
    const { workflowId } = settings;
    if (workflowId === null) return { definition: toDefinition(settings), agent: settings };
    const { definition } = await workflows.get(withoutBounds(principal), String(workflowId));
    return { definition, agent: settings, self: { kind: "agent-workflow" as const, id: workflowId } };
  };
  return {
    async publish({ tenantId, permissions }, workflowId, workflow) {
      const owner = { ...ownerOf(tenantId), permissions };
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
    async grant(principal, settings) {
      const { definition, ...options } = await runOf(principal, settings);
      return platform.versionGrants.grant(principal, definition, options);
    },
    async grantReport(principal, settings, stored) {
      const { definition, ...options } = await runOf(principal, settings);
      return platform.grants.report(principal, definition, { publishing: "agents.update", stored, ...options });
    },
    async requireWorkflow(principal, workflowId) {
      await workflows.get(principal, String(workflowId));
    },
    async inputKeys(principal, workflowId) {
      return strictKeys((await workflows.get(withoutBounds(principal), String(workflowId))).definition);
    },
    async naming(principal, agent) {
      const params: ListParams = { sort: { field: "name", order: "ASC" }, range: { first: 0, last: 999 }, filter: {} };
      const found = [];
      for (const kind of ["agent-workflow", "workflow"] as const) {
        const { rows } = await platform.face(kind).workflows.list(principal, params);
        const naming = rows.filter(({ definition }) => namesAgent(definition, agent));
        found.push(...naming.map(({ id, name }) => ({ kind, id, name })));
      }
      return found;
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
      return (await runs.execute(principal, request)).id;
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

/** Whether a step's input has `agent` with its id or slug, written out. */
function namesAgent(value: Json, agent: { id: number; slug: string }): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((one) => namesAgent(one, agent));
  const { agent: named } = value;
  if (named === agent.slug || named === agent.id || named === String(agent.id)) return true;
  return Object.values(value).some((one) => namesAgent(one, agent));
}

/** An agent's own workflow belongs to the agent's tenant, whoever changes the agent. */
function ownerOf(tenantId: number): Principal {
  return { ...SYSTEM_PRINCIPAL, tenantId };
}
