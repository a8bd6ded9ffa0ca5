import { AgentCard } from "@a2a-js/sdk";
import { A2A_LEGACY_PROTOCOL_VERSION } from "@a2a-js/sdk/compat/v0_3";
import { ContentTypeNotSupportedError } from "@a2a-js/sdk/errors";
import { JsonRpcTransportHandler } from "@a2a-js/sdk/server";
import { isObject, type JsonObject, type Principal, type ReadJson, readJson, refuseLongNumbers } from "@oven/contract";
import { mediaTypeOf } from "@oven/contract/text";
import { hashJson } from "@oven/engine";
import { checkOrigin, defineRoute, type Route, withBody } from "@oven/module-registry";
import { endWithCredentials, keepToWorkflows } from "@oven/module-workflows";
import { z } from "zod";
import { toLegacyCard } from "./agent-card.ts";
import { AgentHandler } from "./agent-handler.ts";
import { AgentTasks, type AgentTasksDeps } from "./agent-tasks.ts";
import { answerRpc, requestedVersionOf } from "./answer-rpc.ts";
import type { PushConfigs } from "./push-configs.ts";
import type { Served } from "./served.ts";
import { INVOKE_AGENTS, servedAgent } from "./served-agent.ts";
import { servedWorkflow } from "./served-workflow.ts";

const BODY_LIMIT = 1_048_576;
/** Of JSON-RPC. */
const PARSE_ERROR = -32_700;
const JSON_TYPES = new Set(["application/json", "application/a2a+json"]);
const Params = z.object({ slug: z.string() });
const MethodSchema = z.object({ method: z.string() });

export interface AgentRouteDeps extends AgentTasksDeps {
  pushes: PushConfigs;
}

/** What is behind an address, for who asks. */
interface Export {
  path: string;
  /** As summaries name it. */
  what: string;
  access: Route["access"];
  find(deps: AgentTasksDeps, principal: Principal, slug: string): Promise<Served>;
}

const WORKFLOWS: Export = { path: "a2a/[slug]", what: "workflow", access: "session", find: servedWorkflow };
const AGENTS: Export = {
  path: "a2a/agents/[slug]",
  what: "agent",
  access: { permission: INVOKE_AGENTS },
  find: servedAgent,
};

/** Exported workflows and agents as A2A agents: a card, and an endpoint that takes JSON-RPC. Both are for those who sign in. */
export function agentRoutes(deps: () => AgentRouteDeps): Route[] {
  return keepToWorkflows([WORKFLOWS, AGENTS].flatMap((exported) => routesOf(exported, deps)));
}

function routesOf({ path, what, access, find }: Export, deps: () => AgentRouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: `${path}/.well-known/agent-card.json`,
      operation: false,
      summary: `The A2A agent card of an exported ${what}`,
      access,
      effect: "pure",
      params: Params,
      handler: async ({ principal, params, request }) => {
        const { card } = await find(deps(), principal, params.slug);
        const isLegacy = requestedVersionOf(request) === A2A_LEGACY_PROTOCOL_VERSION;
        return answerCard(request, card.version, isLegacy ? toLegacyCard(card) : toJsonCard(card));
      },
    }),
    defineRoute({
      method: "POST",
      path,
      operation: false,
      summary: `An exported ${what} as an A2A agent (JSON-RPC)`,
      access,
      raw: true,
      rawBody: { limit: BODY_LIMIT, says: describe },
      params: Params,
      handler: async ({ principal, params, request, text = "", services }) => {
        const { publicUrl, pushes } = deps();
        if (request.headers.has("origin")) checkOrigin(request, publicUrl);
        const { card, owner, starter, dataSchema } = await find(deps(), principal, params.slug);
        if (!JSON_TYPES.has(mediaTypeOf(request.headers.get("content-type") ?? ""))) {
          const refusal = new ContentTypeNotSupportedError("Send JSON, as application/json");
          return answerError(JsonRpcTransportHandler.mapToJSONRPCError(refusal));
        }
        const read = parse(text);
        if (read === undefined || !isObject(read.value))
          return answerError({ code: PARSE_ERROR, message: "Not a JSON object" });
        refuseNumbers(read, dataSchema);
        const body: JsonObject = read.value;
        const serve = async (signal: AbortSignal) => {
          const tasks = new AgentTasks(deps(), principal, owner);
          const handler = new AgentHandler({ card, tasks, starter, pushes, principal, signal });
          return answerRpc(withBody(request, Buffer.from(text), signal), body, card, handler);
        };
        return endWithCredentials(request, serve, services.authenticate);
      },
    }),
  ];
}

function toJsonCard(card: AgentCard): JsonObject {
  return AgentCard.toJSON(card) as JsonObject; // cast: the SDK types it as unknown
}

/** To what is no JSON-RPC message, which has no id. */
function answerError(error: unknown): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error });
}

/** Clients ask again after a minute, and get nothing where the card is the one that they have. */
function answerCard(request: Request, version: string, card: JsonObject): Response {
  const etag = `"${hashJson(card)}"`;
  const changed = new Date(version);
  const headers = {
    "cache-control": "private, max-age=60",
    etag,
    ...(Number.isNaN(changed.getTime()) ? {} : { "last-modified": changed.toUTCString() }),
    vary: "A2A-Version, Authorization",
  };
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  if (known.some((tag) => tag.trim().replace(/^W\//, "") === etag)) return new Response(null, { status: 304, headers });
  return Response.json(card, { headers });
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

/** Of a data part those stay as text where the schema takes text. @throws OvenError NUMBER_NOT_EXACT */
function refuseNumbers({ value, longNumbers }: ReadJson, schema: JsonObject | undefined): void {
  if (longNumbers.length === 0) return;
  const parts = PartsSchema.safeParse(value).data?.params.message.parts ?? [];
  const index = parts.findIndex(({ data }) => data !== undefined);
  const at = ["params", "message", "parts", index, "data"];
  refuseLongNumbers(longNumbers, { what: "The message", at, schema });
}

const PartsSchema = z.object({
  params: z.object({ message: z.object({ parts: z.array(z.looseObject({ data: z.unknown() })) }) }),
});
