import type { Principal } from "@oven/contract";
import type { McpServer } from "@oven/contract/mcp";
import { defineModule, type ModuleDefinition, READING_ROLES, RUNNING_ROLES } from "@oven/module-registry";
import {
  AGENT,
  canaryListeners,
  canaryRoutes,
  DECIDE_OWN_RUNS,
  draftRoutes,
  executeAction,
  executionRoutes,
  migrationRoutes,
  rehearsalRoutes,
  runConfigKeys,
  type SeedWorkflow,
  scoreRoutes,
  toSigningKey,
  workflowEvents,
  workflowRoutes,
} from "@oven/module-workflows";
import { z } from "zod";
import { createWorkflowRunner } from "./agents/workflow-runner.ts";
import { type McpRouteDeps, mcpRoutes } from "./mcp/mcp.routes.ts";
import { McpRegistry } from "./mcp/mcp-registry.ts";
import { protectedPlatform, protectedWorkflows } from "./mcp/protected-servers.ts";
import { CALLS_PER_MINUTE, type McpExtension, requireActive } from "./mcp/workflow-mcp-server.ts";
import { agentMemoryRoutes } from "./memory/agent-memory.routes.ts";
import { DEFAULT_TOP_K } from "./memory/memory-of-node.ts";
import { createAgentMemoryService } from "./memory/memory-service.ts";
import { menuItems, resources } from "./menu.ts";
import { agentNodes } from "./nodes/agent-nodes.ts";
import { programGraphRoutes } from "./nodes/code/program-graph.routes.ts";
import { createGraphFacts } from "./nodes/graph-facts.ts";
import { personData } from "./person-data.ts";
import * as schema from "./schema.ts";
import { everydayTools } from "./tools/everyday-tools.ts";
import { imageRoutes } from "./tools/image.routes.ts";
import { modelTools } from "./tools/model-tools.ts";
import { webTools } from "./tools/web-tools.ts";
import { createWorkflowFinder } from "./uses/find-workflows.ts";

declare module "@oven/module-registry" {
  interface ServiceMap {
    agentWorkflows: AgentWorkflowsService;
  }
}

export interface AgentWorkflowsService {
  /** Makes a workflow once; later starts leave it as people changed it. */
  seedWorkflow(workflow: SeedWorkflow): Promise<void>;
  /** The servers of all workflows have what it registers, from now on. */
  extendMcp(extension: McpExtension): void;
  /**
   * The MCP server of an exported workflow, by its slug, as clients find it now: what other protocols offer is the same.
   * @throws OvenError NOT_FOUND, MCP_SERVER_DISABLED
   */
  exportedWorkflow(principal: Principal, slug: string): Promise<McpServer>;
}

const memoryEvent = z.looseObject({ id: z.int(), agentId: z.int().nullable(), agentWorkflowId: z.int().nullable() });

/** agent.* nodes, agent workflows, and an MCP server for each that is exported. */
export function createAgentWorkflowsModule(): ModuleDefinition {
  let state: McpRouteDeps | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-workflow-agents was not started by a runtime");
    return state;
  };
  return defineModule({
    name: "module-workflow-agents",
    namespace: "agents-workflow",
    description: "Workflows of AI agents: models, tools, reviews by people, and MCP servers.",
    dependencies: ["module-registry", "module-workflows", "module-agent-core", "module-ai"],
    personData,
    schema,
    migrations: new URL("../migrations", import.meta.url),
    nodes: agentNodes,
    actions: [executeAction(AGENT)],
    tools: [...modelTools, ...webTools, ...everydayTools],
    configSchema: [
      ...runConfigKeys,
      {
        key: "MCP_AUTO_REGENERATE",
        type: "boolean",
        description: "Whether saving an exported workflow builds its MCP server anew; otherwise only Regenerate does",
        defaultValue: true,
        instances: "id of a workflow",
      },
      {
        key: CALLS_PER_MINUTE,
        type: "number",
        description: "Calls a minute that one client may make of one tool of an MCP server",
        defaultValue: 600,
        schema: z.int().min(1).max(1_000_000),
        instances: "id of a workflow",
      },
      DECIDE_OWN_RUNS,
      {
        key: "MEMORY_RETRIEVAL_TOP_K",
        type: "number",
        description: "How many memories are recalled, where neither the step nor memoryConfig says so",
        defaultValue: DEFAULT_TOP_K,
        schema: z.int().positive().max(100),
        instances: "id of a workflow",
      },
    ],
    events: {
      emits: {
        ...workflowEvents(AGENT),
        "agents-workflow.mcp.generated": z
          .looseObject({ mcpServerId: z.int(), agentWorkflowId: z.int() })
          .describe("When a workflow's MCP server was built anew"),
        "agents-workflow.memory.created": memoryEvent.extend({ key: z.string() }).describe("When a memory was added"),
        "agents-workflow.memory.updated": memoryEvent
          .extend({ key: z.string() })
          .describe("When a memory was corrected or replaced by a newer fact"),
        "agents-workflow.memory.deleted": memoryEvent.describe("When a memory was deleted, or its time was over"),
      },
      listeners: {
        ...canaryListeners(AGENT, () => ready().face),
        "agents-workflow.workflow.deleted": async ({ tenantId, payload }, { agentMemory }) => {
          if (typeof payload.id === "number") await agentMemory.forget(tenantId, { agentWorkflowId: payload.id });
        },
        "agents.agent.deleted": async ({ tenantId, payload }, { agentMemory }) => {
          if (typeof payload.id === "number") await agentMemory.forget(tenantId, { agentId: payload.id });
        },
      },
    },
    permissions: [
      { id: "agent-workflows.read", title: "See agent workflows", roles: [...READING_ROLES, "reviewer"] },
      { id: "agent-workflows.create", title: "Create agent workflows", roles: ["editor"] },
      { id: "agent-workflows.update", title: "Change agent workflows", roles: ["editor"] },
      { id: "agent-workflows.delete", title: "Delete agent workflows", roles: ["editor"] },
      { id: "agent-workflows.execute", title: "Run agent workflows", roles: RUNNING_ROLES },
      { id: "web.fetch", title: "Let agents read web pages", roles: RUNNING_ROLES },
      { id: "tools.use", title: "Let agents calculate and read the clock", roles: RUNNING_ROLES },
      { id: "mcp-servers.read", title: "See MCP servers", roles: READING_ROLES },
      { id: "mcp-servers.update", title: "Build MCP servers anew", roles: ["editor"] },
      { id: "agent-memory.read", title: "See what agents remember of everybody", roles: ["auditor"] },
      { id: "agent-memory.create", title: "Add memories" },
      { id: "agent-memory.update", title: "Correct memories" },
      { id: "agent-memory.delete", title: "Delete memories" },
    ],
    resources,
    menuItems,
    pathAliases: { "mcp-server-definitions": "mcp-servers" },
    routes: [
      ...workflowRoutes(AGENT, () => {
        const { face, platform } = ready();
        return {
          workflows: face.workflows,
          catalog: platform.nodes,
          policies: platform.policies,
          grants: platform.grants,
          worstCases: platform.worstCases,
          reviews: platform.reviews,
          inspect: (principal, definition) => platform.inspect(principal, definition),
        };
      }),
      ...draftRoutes(AGENT, () => ready().face),
      ...migrationRoutes(AGENT, () => ready().face),
      ...canaryRoutes(AGENT, () => ready().face),
      ...rehearsalRoutes(AGENT, () => ({ ...ready().face, policies: ready().platform.policies })),
      ...executionRoutes(AGENT, () => ({ ...ready().face, reviews: ready().platform.reviews })),
      ...scoreRoutes(AGENT, () => ready().platform),
      ...mcpRoutes(ready),
      ...agentMemoryRoutes,
      ...imageRoutes,
      ...programGraphRoutes,
    ],
    services: async ({ db, services, registry, environment }) => {
      const { publicUrl } = environment;
      const platform = services.workflowPlatform;
      const mcp = new McpRegistry({ db, services, publicUrl });
      const extensions: McpExtension[] = [];
      const tables = {
        workflows: schema.agentWorkflows,
        versions: schema.agentWorkflowVersions,
        drafts: schema.agentWorkflowDrafts,
        testData: schema.agentWorkflowTestData,
        seenDifferences: schema.agentWorkflowSeenDifferences,
        executions: schema.agentWorkflowExecutions,
        nodes: schema.agentWorkflowNodeExecutions,
      };
      const face = platform.addKind(
        { kind: AGENT, tables },
        (tx, workflow, change) => mcp.onWorkflowChange(tx, workflow, change),
        (principal, turn) => services.agents.rehearse(principal, turn),
      );
      services.agents.useRunner(createWorkflowRunner(face, platform));
      services.uses.addFinder(createWorkflowFinder(platform));
      platform.authority.readAgentGrantsWith((agent) => services.agents.grantOf(agent));
      platform.policies.useFacts((tenantId) => createGraphFacts(services, tenantId));
      const signingKey = toSigningKey(environment.secret);
      state = {
        db,
        face,
        platform,
        mcp,
        services,
        registry,
        publicUrl,
        signingKey,
        rates: services.rates,
        extensions,
      };
      services.access.protect(protectedPlatform(services));
      services.access.protect(protectedWorkflows(services, () => mcp));
      const agentMemory = createAgentMemoryService(db, services);
      return {
        agentMemory,
        agentWorkflows: {
          seedWorkflow: (workflow) => face.workflows.seed(workflow),
          extendMcp: (extension) => {
            extensions.push(extension);
          },
          exportedWorkflow: async (principal, slug) => {
            const server = await mcp.get(principal, slug);
            requireActive(server);
            return server;
          },
        },
      };
    },
  });
}
