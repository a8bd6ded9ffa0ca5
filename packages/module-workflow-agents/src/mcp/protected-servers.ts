import { isOvenError, type Principal, SYSTEM_PRINCIPAL } from "@oven/contract";
import { DECIDE_VIEW_TOOL, type McpServer } from "@oven/contract/mcp";
import type { ProtectedServers, ServiceMap } from "@oven/module-registry";
import { sourceOf } from "@oven/module-workflows";
import { permissionsOf } from "./bound-tools.ts";
import type { McpRegistry } from "./mcp-registry.ts";
import { platformNeeds } from "./platform-server.ts";

type Services = Pick<ServiceMap, "tools">;

/** Runs, decisions, agents and what can be read, at any workflow's server. */
const OF_EVERY_SERVER = [
  "agent-workflows.execute",
  "reviews.decide",
  "agents.invoke",
  "agent-workflows.read",
  "agents.read",
  "executions.read",
  "executions.cancel",
];

const DECIDING: string[] = ["reviews.decide"];

/** What a call of one tool takes; without a name: all that any of them takes. */
export function toolNeeds({ toolDefinitions }: McpServer, { tools }: Services, name?: string): string[] {
  // Views bring it along: it is not among the server's own.
  if (name === DECIDE_VIEW_TOOL) return DECIDING;
  const needs = toolDefinitions.flatMap((tool, index) => {
    if (name !== undefined && tool.name !== name) return [];
    const source = sourceOf(tool, index);
    if (source.kind === "workflow") return ["agent-workflows.execute"];
    if (source.kind === "agent") return ["agents.invoke"];
    if (source.kind === "tool") return permissionsOf(tools.get(source.id));
    return tool.name === "answer_review" ? DECIDING : [];
  });
  return [...new Set(needs)];
}

/** The platform's own server. */
export function protectedPlatform(services: Services): ProtectedServers {
  return {
    matches: (path) => path === "oven",
    scopes: () => platformNeeds(services),
    describe: async () => ({
      title: "OVEN itself: build, run and repair workflows",
      permissions: platformNeeds(services),
    }),
  };
}

/** The servers of workflows. */
export function protectedWorkflows(services: Services, mcp: () => McpRegistry): ProtectedServers {
  return {
    matches: (path) => /^[a-z0-9][a-z0-9-]*$/.test(path) && path !== "oven",
    // Those of tools that modules bring along, whichever a workflow is bound to.
    scopes: () => [
      ...new Set([
        ...OF_EVERY_SERVER,
        ...services.tools
          .list(SYSTEM_PRINCIPAL)
          .filter(isPlain)
          .flatMap((info) => permissionsOf(info)),
      ]),
    ],
    describe: async (principal, path) => {
      const server = await findServer(mcp(), principal, path);
      if (server === undefined) return undefined;
      return { title: server.name, permissions: [...OF_EVERY_SERVER, ...toolNeeds(server, services)] };
    },
  };
}

function isPlain({ source, needsApproval }: { source: string; needsApproval: boolean }): boolean {
  return source === "tool" && !needsApproval;
}

async function findServer(mcp: McpRegistry, principal: Principal, slug: string): Promise<McpServer | undefined> {
  try {
    return await mcp.get(principal, slug);
  } catch (error) {
    if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
