import { isOvenError, withoutBounds } from "@oven/contract";
import { defineModule, type ModuleDefinition, READING_ROLES, RUNNING_ROLES } from "@oven/module-registry";
import { z } from "zod";
import type { AgentRunner } from "./agents/agent-runner.ts";
import { AgentService } from "./agents/agent-service.ts";
import { HISTORY_MESSAGES, HISTORY_TOKENS, InvokeService } from "./invoke/invoke-service.ts";
import { menuItems, resources } from "./menu.ts";
import { personData } from "./person-data.ts";
import { sessionRoutes } from "./routes/agent-sessions.routes.ts";
import { agentRoutes } from "./routes/agents.routes.ts";
import { invokeRoutes } from "./routes/invoke.routes.ts";
import { toolRoutes } from "./routes/tools.routes.ts";
import * as schema from "./schema.ts";
import { READ_ALL, SessionService } from "./sessions/session-service.ts";
import { createToolService } from "./tools/tool-service.ts";
import { createAgentFinder } from "./uses/find-agents.ts";
import { createUseService } from "./uses/use-service.ts";

interface State {
  agents: AgentService;
  sessions: SessionService;
  invoke: InvokeService;
  runner: AgentRunner;
}

/** Agents with versions and sessions, and tools for them: everything that modules offer, behind one face. */
export function createAgentCoreModule(): ModuleDefinition {
  let state: State | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("no module that runs agents was started");
    return state;
  };
  return defineModule({
    name: "module-agent-core",
    namespace: "agents",
    description: "Agents with versions and conversations, and tools made from every module's tools and routes.",
    dependencies: ["module-registry"],
    personData,
    schema,
    migrations: new URL("../migrations", import.meta.url),
    configSchema: [
      {
        key: HISTORY_MESSAGES,
        type: "number",
        description: "How many messages of a conversation an agent gets with a new one",
        defaultValue: 40,
        schema: z.int().nonnegative().max(1_000),
        instances: "id of an agent",
      },
      {
        key: HISTORY_TOKENS,
        type: "number",
        description: "How many tokens these may have, estimated at four characters each; older ones are left out",
        defaultValue: 16_000,
        schema: z.int().nonnegative().max(2_000_000),
        instances: "id of an agent",
      },
    ],
    events: {
      emits: {
        "agents.agent.deleted": z.looseObject({ id: z.int(), slug: z.string() }).describe("When an agent was deleted"),
      },
      listeners: {},
    },
    permissions: [
      { id: "tools.read", title: "See tools", roles: READING_ROLES },
      { id: "tools.call", title: "Call tools by hand", roles: RUNNING_ROLES },
      { id: "agents.read", title: "See agents", roles: READING_ROLES },
      { id: "agents.create", title: "Create agents", roles: ["editor"] },
      { id: "agents.update", title: "Change agents", roles: ["editor"] },
      { id: "agents.delete", title: "Delete agents", roles: ["editor"] },
      { id: "agents.invoke", title: "Talk to agents", roles: RUNNING_ROLES },
      { id: "agent-sessions.read", title: "See your conversations with agents", roles: READING_ROLES },
      { id: READ_ALL, title: "See everybody's conversations with agents", roles: ["auditor"] },
    ],
    resources,
    menuItems,
    routes: [...agentRoutes(ready), ...invokeRoutes(ready), ...sessionRoutes(ready), ...toolRoutes],
    services: async (deps) => {
      const { db, services, environment } = deps;
      const tools = createToolService(deps);
      const uses = createUseService((tenantId, ids) => ready().agents.ownedBy(tenantId, ids));
      return {
        tools,
        uses,
        findAgents: (principal, names) => ready().agents.idsOf(principal, names),
        agents: {
          useRunner(runner) {
            const agents = new AgentService({ db, tools, runner, events: services.events });
            const sessions = new SessionService(db);
            const { publicUrl } = environment;
            const invoke = new InvokeService({ agents, sessions, runner, tools, config: services.config, publicUrl });
            state = { agents, sessions, invoke, runner };
            uses.addFinder(createAgentFinder(agents));
          },
          seedAgent: (agent) => ready().agents.seed(agent),
          list: async (principal) => {
            const params = {
              sort: { field: "name", order: "ASC" },
              range: { first: 0, last: 999 },
              filter: {},
            } as const;
            return (await ready().agents.list(principal, params)).rows;
          },
          get: (principal, idOrSlug) => ready().agents.get(principal, idOrSlug),
          rows: {
            create: (principal, body) => ready().agents.create(principal, body),
            update: (principal, idOrSlug, body) => ready().agents.update(principal, idOrSlug, body),
            regrant: (principal, idOrSlug) => ready().agents.regrant(principal, idOrSlug),
            list: (principal, params) => ready().agents.list(principal, params),
            ownedBy: (tenantId, workflowIds) => ready().agents.ownedBy(tenantId, workflowIds),
          },
          standalone: (principal, idOrSlug, said, version) =>
            ready().invoke.standalone(principal, idOrSlug, said, version),
          rehearse: (principal, turn) => ready().invoke.rehearse(principal, turn),
          settingsOf: (agent) => ready().agents.settingsOf(agent),
          grantOf: (agent) => ready().agents.grantOf(agent),
          prepare: (principal, idOrSlug, said, key) => ready().invoke.prepare(principal, idOrSlug, said, key),
          start: (principal, idOrSlug, said, key) => ready().invoke.start(principal, idOrSlug, said, key),
          beginSession: async (principal, agentId, title) =>
            (await ready().sessions.create(principal, agentId, title)).id,
          renameSession: async (principal, sessionId, title) => {
            await ready().sessions.rename(principal, sessionId, title);
          },
          async deleteSession(principal, sessionId) {
            try {
              await ready().sessions.delete(principal, sessionId);
            } catch (error) {
              if (!isOvenError(error) || error.code !== "NOT_FOUND") throw error;
            }
          },
          async turnsOf(principal, sessionId) {
            const { sessions, invoke } = ready();
            const { id } = await sessions.get(principal, sessionId);
            return sessions.turns(id, invoke.answerOf(principal));
          },
          again: (principal, executionId, how) => ready().invoke.again(principal, executionId, how),
          reply: (principal, executionId) => ready().invoke.reply(principal, executionId),
          settle: (principal, executionId, key) => ready().invoke.settle(withoutBounds(principal), executionId, key),
        },
      };
    },
  });
}
