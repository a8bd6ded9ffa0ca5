import type { McpServer } from "@modelcontextprotocol/server";
import { isGranted, type JsonObject, OvenError, type Principal, SHARED_TENANT, toActor } from "@oven/contract";
import type { Agent } from "@oven/contract/agent";
import type { McpServer as McpServerRow, McpToolDefinition } from "@oven/contract/mcp";
import { violationsOf } from "@oven/engine";
import {
  type Rates,
  type RegistryView,
  type RowVersion,
  requirePermission,
  type ServiceMap,
} from "@oven/module-registry";
import {
  createRunMcpServer,
  type ExecuteRequest,
  idempotencyKeyOf,
  type McpOffer,
  type ReviewQuestions,
  type RunCalls,
  type RunMcpFace,
  registerTool,
  runInstructions,
  type ServerUse,
  sourceOf,
  type ToolCall,
  toResult,
  type WorkflowFace,
  type WorkflowPlatform,
  withQuestions,
} from "@oven/module-workflows";
import { SCORE_RUN, ScoreRunSchema, scoreRun } from "../platform-mcp/score-run.ts";
import { askAgent } from "./agent-tools.ts";
import { callBoundTool } from "./bound-tools.ts";
import { registerSubscriptions } from "./run-subscriptions.ts";
import { registerPrompts } from "./server-prompts.ts";
import { registerResources, toArtefactUri } from "./server-resources.ts";
import { findAgent } from "./server-tools.ts";

export interface WorkflowMcpDeps {
  face: WorkflowFace;
  platform: WorkflowPlatform;
  services: ServiceMap;
  registry: RegistryView;
  publicUrl: string;
  signingKey: Uint8Array;
  rates: Rates;
  extensions: readonly McpExtension[];
}

/** What a module adds to the server of every workflow: tools, resources and prompts of its own making. */
export type McpExtension = (
  server: McpServer,
  given: {
    principal: Principal;
    /** Signs what a question hands out and gets back with its answer; the server refuses what was changed. */
    sign: ReviewQuestions["sign"];
  },
) => void;

interface Caller {
  principal: Principal;
  request: Request;
  /** The call that the server is made for, when it serves this one only. */
  call?: ToolCall | undefined;
}

/** What one client of a server may do there. */
interface Offer extends Caller, ServerUse {
  row: McpServerRow;
  tools: McpToolDefinition[];
  agents: Agent[];
}

/** Reads the server again when its cached row is out of date. */
export interface CachedServer {
  rowVersion: RowVersion;
  readAgain(): Promise<McpServerRow>;
}

export const CALLS_PER_MINUTE = "MCP_TOOL_CALLS_PER_MINUTE";

/**
 * Looks up what this client may use, then says how to make its server. A server for one call has the called tool only.
 * @param cached set when `row` comes from the cache and the call is a plain run of it (`isPlainRun`)
 */
export async function offerWorkflow(
  deps: WorkflowMcpDeps,
  row: McpServerRow,
  caller: Caller,
  cached?: CachedServer,
): Promise<McpOffer> {
  const { services } = deps;
  const { principal, call } = caller;
  const tools: McpToolDefinition[] = [];
  const agents: Agent[] = [];
  for (const [index, tool] of row.toolDefinitions.entries()) {
    if (call !== undefined && tool.name !== call.name) continue;
    const source = sourceOf(tool, index);
    if (source.kind === "tool" && !mayCall(services, principal, source.id)) continue;
    if (source.kind === "agent") {
      const agent = await askable(services, principal, source.slug);
      if (agent === undefined) continue;
      agents.push(agent);
    }
    tools.push({ ...tool, source });
  }
  const revision = JSON.stringify([row.updatedAt, tools.map(({ name }) => name)]);
  return {
    createServer: (use) => createServer(deps, { ...caller, ...use, row, tools, agents }, cached),
    inputSchema: (name) => tools.find((tool) => tool.name === name)?.inputSchema,
    revision,
  };
}

/** Whether the call runs the workflow and the cached row does not speak against it. Refusals are made from a row that was just read. */
export function isPlainRun({ status, toolDefinitions: [tool] }: McpServerRow, { name, given }: ToolCall): boolean {
  if (status === "disabled" || tool === undefined || tool.name !== name) return false;
  return sourceOf(tool, 0).kind === "workflow" && violationsOf(tool.inputSchema, given, "$").length === 0;
}

/** A key that is bound to workflows or agents uses those, and nothing that they use. */
function mayCall({ tools }: ServiceMap, principal: Principal, id: string): boolean {
  return principal.workflows === undefined && tools.list(principal).some((info) => info.id === id);
}

async function askable(services: ServiceMap, principal: Principal, slug: string): Promise<Agent | undefined> {
  return isGranted(principal.permissions, "agents.invoke") ? findAgent(services, principal, slug) : undefined;
}

function createServer(deps: WorkflowMcpDeps, offer: Offer, cached: CachedServer | undefined): McpServer {
  const { face, platform, services, publicUrl, signingKey, extensions } = deps;
  const { row, principal, tools, agents, session, modern = false, views, isEnded, call } = offer;
  const { agentWorkflowId: workflowId, slug, name } = row;
  let served = row;
  const shown = {
    ...faceOf(row, tools),
    session,
    modern,
    views,
    checksInput: cached !== undefined,
    answersAs: () => (cached === undefined ? undefined : served.toolDefinitions[0]),
    admit: (tool: string) => admitCall(deps, row, principal, tool),
    extend: (server: McpServer, calls: RunCalls, questions: ReviewQuestions) => {
      registerOthers(server, deps, offer, { calls, questions });
      if (call !== undefined && tools.length > 0) return;
      const workflow = { id: workflowId, name, slug };
      registerResources(server, { workflow, principal, face, services, calls });
      registerPrompts(server, principal, agents);
      // A server that was generated earlier may have a tool of that name.
      if (!row.toolDefinitions.some((tool) => tool.name === SCORE_RUN.name))
        registerScoring(server, { principal, platform, calls, admit: shown.admit });
      if (session) registerSubscriptions(server, { principal, face, calls });
      for (const extension of extensions)
        extension(server, { principal, sign: (state, context) => questions.sign(state, context) });
    },
  };
  const start = async (input: JsonObject): Promise<number> => {
    requirePermission(principal, "agent-workflows.execute");
    if (cached !== undefined) {
      const started = await face.runs.executeCached(principal, toStart(workflowId, input), [cached.rowVersion]);
      if (started !== undefined) return started.id;
      served = await cached.readAgain();
    }
    return (await face.runs.execute(principal, toStart(served.agentWorkflowId, input))).id;
  };
  const calls = { runs: face.runs, reviews: platform.reviews, services, publicUrl, signingKey, workflowId };
  const ended = isEnded === undefined ? {} : { isEnded };
  return createRunMcpServer(shown, principal, { ...calls, ...ended, artefactUri: toArtefactUri }, start);
}

/** What a client sees of a server with these of its tools. */
function faceOf({ slug, name }: McpServerRow, tools: readonly McpToolDefinition[]): RunMcpFace {
  return {
    name: `oven-${slug}`,
    title: name,
    instructions: runInstructions(tools[0]?.name ?? slug, name),
    tools,
  };
}

function toStart(workflowId: number, input: JsonObject): ExecuteRequest {
  return { workflow: String(workflowId), input, triggerEvent: "mcp" };
}

/** @throws OvenError MCP_SERVER_DISABLED 404 */
export function requireActive({ name, status }: Pick<McpServerRow, "name" | "status">): void {
  if (status !== "disabled") return;
  throw new OvenError("MCP_SERVER_DISABLED", `${name} is disabled`, { status: 404, fix: "Enable its workflow." });
}

/** The tools that the workflow is bound to, and the agents that it asks. */
function registerOthers(
  server: McpServer,
  { services, ...deps }: WorkflowMcpDeps,
  { row, principal, request, tools }: Offer,
  { calls, questions }: { calls: RunCalls; questions: ReviewQuestions },
): void {
  for (const [index, tool] of tools.entries()) {
    const source = sourceOf(tool, index);
    const keyOf = (meta: Record<string, unknown> | undefined) => `mcp:${row.id}:${idempotencyKeyOf(meta, request)}`;
    const admit = () => admitCall({ services, ...deps }, row, principal, tool.name);
    const info = source.kind === "tool" ? services.tools.get(source.id) : undefined;
    if (info !== undefined)
      registerTool(server, tool, async (input, { mcpReq }) => {
        await admit();
        const call = { principal, signal: mcpReq.signal, idempotencyKey: keyOf(mcpReq._meta) };
        return callBoundTool(services.tools, info, input, call);
      });
    if (source.kind === "agent")
      registerTool(
        server,
        tool,
        withQuestions(
          async (input, context) => {
            await admit();
            const asking = { agents: services.agents, principal, calls, key: keyOf(context.mcpReq._meta) };
            return askAgent(asking, source.slug, input, context);
          },
          calls,
          questions,
        ),
      );
  }
}

/** For those who may score: of runs that this client may follow here. */
function registerScoring(
  server: McpServer,
  {
    principal,
    platform,
    calls,
    admit,
  }: {
    principal: Principal;
    platform: WorkflowPlatform;
    calls: RunCalls;
    admit: (tool: string) => Promise<void>;
  },
): void {
  if (!isGranted(principal.permissions, "scores.write")) return;
  registerTool(server, SCORE_RUN, async (input) => {
    await admit(SCORE_RUN.name);
    const { run_id } = ScoreRunSchema.parse(input);
    await calls.requireOwn(run_id, "executions.read");
    return toResult(await scoreRun(platform, principal, input));
  });
}

/** Each tool for itself: a client that hammers one keeps the others. @throws OvenError TOO_MANY_REQUESTS 429 */
async function admitCall(
  { services, rates }: Pick<WorkflowMcpDeps, "services" | "rates">,
  { agentWorkflowId, tenantId }: McpServerRow,
  principal: Principal,
  tool: string,
): Promise<void> {
  const { value } = await services.config.resolve({
    module: "module-workflow-agents",
    key: CALLS_PER_MINUTE,
    tenantId: tenantId ?? SHARED_TENANT,
    instance: String(agentWorkflowId),
  });
  const { kind, id } = toActor(principal);
  const perMinute = value as number; // cast: the key's schema
  const waitMs = await rates.take(`mcp ${agentWorkflowId} ${tool} ${kind} ${id}`, perMinute);
  if (waitMs === 0) return;
  throw new OvenError("TOO_MANY_REQUESTS", `${tool} takes ${perMinute} calls a minute of one client`, {
    status: 429,
    retryAfterMs: waitMs,
    fix: `Wait ${Math.ceil(waitMs / 1_000)} s, or raise ${CALLS_PER_MINUTE} of module-workflow-agents.`,
  });
}
