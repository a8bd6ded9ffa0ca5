import {
  AgentMessageSchema,
  AgentSessionSchema,
  NewAgentSessionSchema,
  UpdateAgentSessionSchema,
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
import type { AgentService } from "../agents/agent-service.ts";
import { keepToAgents } from "../agents/bound-to.ts";
import type { InvokeService } from "../invoke/invoke-service.ts";
import { type SessionService, toSession } from "../sessions/session-service.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });
const READ = { permission: "agent-sessions.read" };
const TALK = { permission: "agents.invoke" };

interface Deps {
  agents: AgentService;
  sessions: SessionService;
  invoke: InvokeService;
}

/** None is an operation: what people said to an agent is not for other agents to read. */
export function sessionRoutes(deps: () => Deps): Route[] {
  return keepToAgents([
    defineRoute({
      method: "GET",
      path: "agent-sessions",
      operation: false,
      summary: "List your conversations with agents",
      access: READ,
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(AgentSessionSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().sessions.list(principal, params);
        return listReply("agent-sessions", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "agent-sessions",
      operation: false,
      summary: "Begin a conversation with an agent",
      access: TALK,
      effect: "at-least-once",
      body: NewAgentSessionSchema,
      response: AgentSessionSchema,
      handler: async ({ principal, body }) => {
        const { agents, sessions } = deps();
        const { id } = await agents.get(principal, String(body.agent));
        return created(toSession(await sessions.create(principal, id, body.title ?? null)));
      },
    }),
    defineRoute({
      method: "GET",
      path: "agent-sessions/[id]",
      operation: false,
      summary: "Get a conversation",
      access: READ,
      effect: "pure",
      params: Params,
      response: AgentSessionSchema,
      handler: async ({ principal, params }) => ok(toSession(await deps().sessions.get(principal, params.id))),
    }),
    defineRoute({
      method: "PUT",
      path: "agent-sessions/[id]",
      operation: false,
      summary: "Give a conversation another title",
      access: TALK,
      effect: "idempotent",
      params: Params,
      body: UpdateAgentSessionSchema,
      response: AgentSessionSchema,
      handler: async ({ principal, params, body }) =>
        ok(toSession(await deps().sessions.rename(principal, params.id, body.title ?? null))),
    }),
    defineRoute({
      method: "DELETE",
      path: "agent-sessions/[id]",
      operation: false,
      summary: "Delete a conversation; its runs stay",
      access: TALK,
      effect: "at-least-once",
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().sessions.delete(principal, params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "GET",
      path: "agent-sessions/[id]/messages",
      operation: false,
      summary: "What was said, oldest first, each with the run it belongs to",
      access: READ,
      effect: "pure",
      params: Params,
      query: ListQuerySchema,
      response: z.array(AgentMessageSchema),
      handler: async ({ principal, params, query }) => {
        const { sessions, invoke } = deps();
        const { id } = await sessions.get(principal, params.id);
        const list = toListParams(query);
        const { rows, total } = await sessions.messages(id, invoke.answerOf(principal), list.range);
        return listReply("messages", list, rows, total);
      },
    }),
  ]);
}
