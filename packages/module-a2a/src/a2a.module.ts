import { defineModule, type ModuleDefinition, READING_ROLES, RUNNING_ROLES, WorkLoop } from "@oven/module-registry";
import { AGENT, toSigningKey } from "@oven/module-workflows";
import { AgentCaller } from "./client/agent-caller.ts";
import { agentEvents } from "./client/agent-events.ts";
import { createAgentTools } from "./client/agent-tools.ts";
import { CallRows } from "./client/call-rows.ts";
import { connectionRoutes } from "./client/connection.routes.ts";
import { A2A_NAMESPACE, USE_PERMISSION } from "./client/connection-row.ts";
import { Connections } from "./client/connections.ts";
import { menuItems, resources } from "./menu.ts";
import { askAgentNode } from "./nodes/ask-agent.node.ts";
import { personData } from "./person-data.ts";
import * as schema from "./schema.ts";
import type { AgentRouteDeps } from "./server/agent.routes.ts";
import { agentRoutes } from "./server/agent.routes.ts";
import { Contexts } from "./server/contexts.ts";
import { PushConfigs } from "./server/push-configs.ts";
import { TaskPusher } from "./server/task-pusher.ts";
import { TaskRows } from "./server/task-rows.ts";

interface State extends AgentRouteDeps {
  connections: Connections;
  checks: WorkLoop;
  refreshing: WorkLoop;
  pushing: WorkLoop;
}

/** Workflows and agents as A2A agents, and outside A2A agents as tools. */
export function createA2aModule(): ModuleDefinition {
  let state: State | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-a2a was not started by a runtime");
    return state;
  };
  const stopped = new AbortController();
  return defineModule({
    name: "module-a2a",
    namespace: "a2a-connections",
    description: "Workflows and agents as A2A agents, and outside A2A agents as tools.",
    dependencies: ["module-registry", "module-workflows", "module-agent-core", "module-workflow-agents"],
    personData,
    schema,
    migrations: new URL("../migrations", import.meta.url),
    nodes: [askAgentNode],
    permissions: [
      { id: "a2a-connections.read", title: "See connected A2A agents", roles: READING_ROLES },
      { id: "a2a-connections.create", title: "Connect A2A agents" },
      { id: "a2a-connections.update", title: "Change connections of A2A agents" },
      { id: "a2a-connections.delete", title: "Delete connections of A2A agents" },
      { id: "a2a-connections.approve", title: "Approve connected A2A agents" },
      { id: USE_PERMISSION, title: "Ask connected A2A agents", roles: RUNNING_ROLES },
    ],
    resources,
    menuItems,
    events: { emits: agentEvents, listeners: {} },
    routes: [...agentRoutes(ready), ...connectionRoutes(() => ready().connections)],
    services: async ({ db, services, environment }) => {
      const { publicUrl, secret, outboundAllow: allow } = environment;
      const { outbound, events, workflowPlatform } = services;
      const tools = createAgentTools(db, () => workflowPlatform.policies.forget());
      const connections = new Connections({ db, outbound, allow, events, secrets: services.secrets, tools });
      const calls = new CallRows(db);
      const rows = new TaskRows(db);
      const contexts = new Contexts(db, () => services.agents);
      const caller = new AgentCaller({ db, outbound, allow, connections, calls, services });
      services.tools.addSource(A2A_NAMESPACE, {
        list: (tenantId) => tools.list(tenantId),
        call: (id, args, options) => caller.call(id, args, options),
        resume: (id, options) => caller.resume(id, options),
      });
      await tools.refresh();
      const check = async () => {
        await connections.checkDue(stopped.signal);
        await caller.cancelEnded(stopped.signal);
        await calls.forgetOld(Date.now());
        await rows.forgetEnded();
        await contexts.forgetEnded();
      };
      const checks = new WorkLoop("reading the cards of A2A agents", check, {
        db,
        untilNext: () => connections.untilNext(),
      });
      const refreshing = new WorkLoop("reading which A2A agents are approved", () => tools.refresh(), { db });
      const face = workflowPlatform.face(AGENT.kind);
      const signingKey = toSigningKey(secret);
      const pushes: PushConfigs = new PushConfigs(db, services.secrets, () => pushing.wake());
      const tasks = { rows, contexts, face, services, publicUrl, signingKey, pushes };
      const pusher = new TaskPusher({ ...tasks, db, allow });
      const pushing = new WorkLoop("pushing the states of A2A tasks", () => pusher.pushDue(stopped.signal), {
        db,
        untilNext: () => pusher.untilNext(),
      });
      state = { ...tasks, connections, checks, refreshing, pushing };
      return {};
    },
    start: async ({ environment }) => {
      ready().refreshing.start();
      if (environment.worker?.enabled === false) return;
      ready().checks.start();
      ready().pushing.start();
    },
    stop: async () => {
      stopped.abort(new Error("the process stops"));
      await ready().checks.stop();
      await ready().pushing.stop();
      await ready().refreshing.stop();
    },
  });
}
