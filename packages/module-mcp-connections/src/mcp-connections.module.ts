import { defineModule, type ModuleDefinition, READING_ROLES, RUNNING_ROLES, WorkLoop } from "@oven/module-registry";
import { ConnectionService } from "./connections/connection-service.ts";
import { Credentials } from "./connections/credentials.ts";
import { Discovery } from "./connections/discovery.ts";
import { Servers } from "./connections/servers.ts";
import { SignInService } from "./connections/sign-in-service.ts";
import { OpenQuestions } from "./elicitation/open-questions.ts";
import { menuItems, resources } from "./menu.ts";
import { callToolNode } from "./nodes/call-tool.node.ts";
import { personData } from "./person-data.ts";
import { connectionRoutes, type RouteDeps } from "./routes/connection.routes.ts";
import * as schema from "./schema.ts";
import { SessionPool } from "./sessions/session-pool.ts";
import { readOperatorFile } from "./stdio/operator-file.ts";
import { StdioServers } from "./stdio/stdio-servers.ts";
import { syncRows } from "./stdio/sync-rows.ts";
import { ToolCaller } from "./tools/tool-caller.ts";
import { createToolCatalogue, USE_PERMISSION } from "./tools/tool-catalogue.ts";
import { toolEvents } from "./tools/tool-events.ts";
import { MCP_NAMESPACE } from "./tools/tool-id.ts";

export interface McpConnectionsOptions {
  /** Where the operator names servers that are started as child processes; absent: none are. */
  serversFile?: string;
  /** How old a listing may be before a call looks again, in milliseconds. */
  freshMs?: number;
}

interface State extends RouteDeps {
  discovery: Discovery;
  questions: OpenQuestions;
  sessions: SessionPool;
  checks: WorkLoop;
  refreshing: WorkLoop;
}

/** Outside MCP servers: connected, their tools approved one by one and pinned, and called in runs. */
export function createMcpConnectionsModule({ serversFile, freshMs }: McpConnectionsOptions = {}): ModuleDefinition {
  let state: State | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-mcp-connections was not started by a runtime");
    return state;
  };
  const stopped = new AbortController();
  return defineModule({
    name: "module-mcp-connections",
    namespace: "mcp-connections",
    description: "Outside MCP servers whose tools agents may use once somebody has approved them.",
    dependencies: ["module-registry", "module-workflows", "module-agent-core"],
    personData,
    schema,
    migrations: new URL("../migrations", import.meta.url),
    nodes: [callToolNode],
    permissions: [
      { id: "mcp-connections.read", title: "See connected MCP servers", roles: READING_ROLES },
      { id: "mcp-connections.create", title: "Connect MCP servers" },
      { id: "mcp-connections.update", title: "Change connections of MCP servers" },
      { id: "mcp-connections.delete", title: "Delete connections of MCP servers" },
      { id: "mcp-connections.approve", title: "Approve the tools of connected MCP servers" },
      { id: USE_PERMISSION, title: "Use the tools of connected MCP servers", roles: RUNNING_ROLES },
    ],
    resources,
    menuItems,
    events: { emits: toolEvents, listeners: {} },
    routes: connectionRoutes(ready),
    services: async ({ db, services, environment }) => {
      const operatorServers = serversFile === undefined ? [] : readOperatorFile(serversFile);
      await syncRows(db, operatorServers);
      const stdio = new StdioServers(operatorServers);
      const credentials = new Credentials(db, services.secrets);
      const { publicUrl, outboundAllow: allow } = environment;
      const sessions = new SessionPool({
        runEnded: (id, signal) => services.workflowPlatform.runEnds.wait(id, signal),
      });
      const servers = new Servers({ services, credentials, stdio, allow, publicUrl, sessions });
      const discovery = new Discovery({ db, servers, events: services.events, secrets: services.secrets });
      const catalogue = createToolCatalogue(db, () => services.workflowPlatform.policies.forget());
      const questions = new OpenQuestions(db);
      const caller = new ToolCaller({
        db,
        services,
        servers,
        discovery,
        questions,
        ...(freshMs === undefined ? {} : { freshMs }),
      });
      const connections = new ConnectionService({ db, services, servers, discovery, catalogue, caller, credentials });
      const signIns = new SignInService({ connections, credentials, servers, discovery });
      services.tools.addSource(MCP_NAMESPACE, {
        list: (tenantId) => catalogue.list(tenantId),
        call: (id, args, options) => caller.call(id, args, options),
      });
      await catalogue.refresh();
      const check = async () => {
        await discovery.checkDue(stopped.signal);
        await questions.forgetOld(Date.now());
      };
      const untilNext = () => discovery.untilNext();
      const checks = new WorkLoop("asking MCP servers for their tools", check, { db, untilNext });
      const refreshing = new WorkLoop("reading the tools of MCP servers", () => catalogue.refresh(), { db });
      state = { connections, signIns, publicUrl, discovery, questions, sessions, checks, refreshing };
      return {};
    },
    start: async ({ environment }) => {
      ready().refreshing.start();
      if (environment.worker?.enabled !== false) ready().checks.start();
    },
    stop: async () => {
      stopped.abort(new Error("the process stops"));
      await ready().checks.stop();
      await ready().refreshing.stop();
      await ready().sessions.stop();
    },
  });
}
