import { AgentCard } from "@a2a-js/sdk";
import { A2A_LEGACY_PROTOCOL_VERSION } from "@a2a-js/sdk/compat/v0_3";
import { isObject, type JsonObject, type Principal, type ReadJson, readJson, refuseLongNumbers } from "@oven/contract";
import type { McpServer } from "@oven/contract/mcp";
import { checkOrigin, defineRoute, ok, type Route, withBody } from "@oven/module-registry";
import { endWithCredentials, keepToWorkflows } from "@oven/module-workflows";
import { z } from "zod";
import { toAgentCard, toLegacyCard } from "./agent-card.ts";
import { AgentHandler } from "./agent-handler.ts";
import { AgentTasks, type AgentTasksDeps } from "./agent-tasks.ts";
import { answerRpc, requestedVersionOf } from "./answer-rpc.ts";
import type { PushConfigs } from "./push-configs.ts";

const BODY_LIMIT = 1_048_576;
/** Of JSON-RPC. */
const PARSE_ERROR = -32_700;
const Params = z.object({ slug: z.string() });
const MethodSchema = z.object({ method: z.string() });

export interface AgentRouteDeps extends AgentTasksDeps {
  pushes: PushConfigs;
}

/** Exported workflows as A2A agents: a card, and an endpoint that takes JSON-RPC. Both are for those who sign in. */
export function agentRoutes(deps: () => AgentRouteDeps): Route[] {
  return keepToWorkflows([
    defineRoute({
      method: "GET",
      path: "a2a/[slug]/.well-known/agent-card.json",
      operation: false,
      summary: "The A2A agent card of a workflow",
      access: "session",
      effect: "pure",
      params: Params,
      handler: async ({ principal, params, request, services }) => {
        const server = await services.agentWorkflows.exportedWorkflow(principal, params.slug);
        const card = await cardOf(deps(), principal, server);
        const isLegacy = requestedVersionOf(request) === A2A_LEGACY_PROTOCOL_VERSION;
        return ok(isLegacy ? toLegacyCard(card) : AgentCard.toJSON(card), { vary: "A2A-Version, Authorization" });
      },
    }),
    defineRoute({
      method: "POST",
      path: "a2a/[slug]",
      operation: false,
      summary: "A workflow as an A2A agent (JSON-RPC)",
      access: "session",
      raw: true,
      rawBody: { limit: BODY_LIMIT, says: describe },
      params: Params,
      handler: async ({ principal, params, request, text = "", services }) => {
        const { publicUrl } = deps();
        if (request.headers.has("origin")) checkOrigin(request, publicUrl);
        const server = await services.agentWorkflows.exportedWorkflow(principal, params.slug);
        const read = parse(text);
        if (read === undefined || !isObject(read.value))
          return Response.json({
            jsonrpc: "2.0",
            id: null,
            error: { code: PARSE_ERROR, message: "Not a JSON object" },
          });
        refuseNumbers(read, server);
        const body: JsonObject = read.value;
        const serve = async (signal: AbortSignal) => {
          const card = await cardOf(deps(), principal, server);
          const agent = {
            workflowId: server.agentWorkflowId,
            inputSchema: server.toolDefinitions[0]?.inputSchema ?? {},
          };
          const { pushes } = deps();
          const tasks = new AgentTasks(deps(), principal, agent);
          const handler = new AgentHandler({ card, tasks, pushes, principal, signal });
          return answerRpc(withBody(request, Buffer.from(text), signal), body, card, handler);
        };
        return endWithCredentials(request, serve, services.authenticate);
      },
    }),
  ]);
}

async function cardOf(
  { face, publicUrl }: AgentTasksDeps,
  principal: Principal,
  server: McpServer,
): Promise<AgentCard> {
  const { description } = await face.workflows.get(principal, String(server.agentWorkflowId));
  return toAgentCard(server, description, publicUrl);
}

/** The method, for the audit log. */
function describe(text: string): string | undefined {
  return MethodSchema.safeParse(parse(text)?.value).data?.method;
}

function parse(text: string): ReadJson | undefined {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Of a data part those stay as text where the workflow's schema takes text. @throws OvenError NUMBER_NOT_EXACT */
function refuseNumbers({ value, longNumbers }: ReadJson, { toolDefinitions: [run] }: McpServer): void {
  if (longNumbers.length === 0) return;
  const parts = PartsSchema.safeParse(value).data?.params.message.parts ?? [];
  const index = parts.findIndex(({ data }) => data !== undefined);
  const at = ["params", "message", "parts", index, "data"];
  refuseLongNumbers(longNumbers, { what: "The message", at, schema: run?.inputSchema });
}

const PartsSchema = z.object({
  params: z.object({ message: z.object({ parts: z.array(z.looseObject({ data: z.unknown() })) }) }),
});
