import { IdOrSlugSchema } from "@oven/contract";
import { GrantReportSchema } from "@oven/contract/access";
import {
  AgentSchema,
  AgentStatsSchema,
  AgentUsesSchema,
  AgentVersionSchema,
  CreateAgentSchema,
  UpdateAgentSchema,
} from "@oven/contract/agent";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { AgentRunner } from "../agents/agent-runner.ts";
import type { AgentService } from "../agents/agent-service.ts";
import { keepToAgents } from "../agents/bound-to.ts";
import type { SessionService } from "../sessions/session-service.ts";

const Params = z.object({ id: IdOrSlugSchema });
const may = (action: string) => ({ permission: `agents.${action}` });

interface Deps {
  agents: AgentService;
  sessions: SessionService;
  runner: AgentRunner;
}

/** What changes an agent is no operation: an agent must not give itself tools. */
export function agentRoutes(deps: () => Deps): Route[] {
  const agents = () => deps().agents;
  return keepToAgents([
    defineRoute({
      method: "GET",
      path: "agents",
      operation: "agents.list",
      summary: "List agents",
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(AgentSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await agents().list(principal, params);
        return listReply("agents", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "agents",
      operation: false,
      summary: "Create an agent",
      description: "Without `workflowId` it gets an agent workflow of its own: a tool loop made from its settings.",
      access: may("create"),
      effect: "at-least-once",
      body: CreateAgentSchema,
      response: AgentSchema,
      handler: async ({ principal, body }) => created(await agents().create(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: "agents/[id]",
      operation: "agents.get",
      summary: "Get an agent",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: AgentSchema,
      handler: async ({ principal, params }) => ok(await agents().get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "agents/[id]",
      operation: false,
      summary: "Change an agent",
      description: "A changed setting makes a new version. Runs go on with the one they began with.",
      access: may("update"),
      effect: "idempotent",
      params: Params,
      body: UpdateAgentSchema,
      response: AgentSchema,
      handler: async ({ principal, params, body }) => ok(await agents().update(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "agents/[id]",
      operation: false,
      summary: "Delete an agent with its sessions and its own workflow",
      description: "409 while it has runs that have not ended; `force=true` cancels them.",
      access: may("delete"),
      effect: "at-least-once",
      params: Params,
      query: z.object({ force: z.enum(["true", "false"]).optional() }),
      handler: async ({ principal, params, query }) => {
        await agents().delete(principal, params.id, query.force === "true");
        return noContent();
      },
    }),
    defineRoute({
      method: "GET",
      path: "agent-stats",
      operation: false,
      summary: "How many conversations each agent has, and when something was last said to it",
      access: may("read"),
      effect: "pure",
      response: z.array(AgentStatsSchema),
      handler: async ({ principal }) => {
        const stats = await deps().sessions.stats(principal);
        const { agents: bound, workflows } = principal;
        return ok(workflows === undefined ? stats : stats.filter(({ agentId }) => bound?.includes(agentId)));
      },
    }),
    defineRoute({
      method: "GET",
      path: "agents/[id]/uses",
      operation: false,
      summary: "What would be without an agent: its conversations, and workflows that name it",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: AgentUsesSchema,
      handler: async ({ principal, params }) => {
        const { agents, sessions, runner } = deps();
        const agent = await agents.get(principal, params.id);
        const stats = (await sessions.stats(principal)).find(({ agentId }) => agentId === agent.id);
        return ok({ sessions: stats?.sessions ?? 0, workflows: await runner.naming(principal, agent) });
      },
    }),
    defineRoute({
      method: "GET",
      path: "agents/[id]/versions",
      operation: false,
      summary: "An agent's versions, newest first",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: z.array(AgentVersionSchema),
      handler: async ({ principal, params }) => ok(await agents().versions(principal, params.id)),
    }),
    defineRoute({
      method: "GET",
      path: "agents/[id]/versions/[versionId]/grant",
      operation: false,
      summary: "What a version of an agent may do: the permissions it needs and has, and those it lacks",
      access: may("read"),
      effect: "pure",
      params: Params.extend({ versionId: z.coerce.number().int().positive() }),
      response: GrantReportSchema,
      handler: async ({ principal, params }) => ok(await agents().grantReport(principal, params.id, params.versionId)),
    }),
    defineRoute({
      method: "POST",
      path: "agents/[id]/versions/[versionId]/restore",
      operation: false,
      summary:
        "Make a version current again, as a new one with your permissions; the current one only if that grants more",
      access: may("update"),
      effect: "at-least-once",
      params: Params.extend({ versionId: z.coerce.number().int().positive() }),
      response: AgentSchema,
      handler: async ({ principal, params }) => ok(await agents().restore(principal, params.id, params.versionId)),
    }),
  ]);
}
