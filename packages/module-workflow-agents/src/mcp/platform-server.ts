import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { isGranted, type JsonObject, type Principal } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { McpToolDefinition } from "@oven/contract/mcp";
import type { Effect } from "@oven/contract/node";
import type { RegistryView, ServiceMap } from "@oven/module-registry";
import {
  acceptAll,
  idempotencyKeyOf,
  linearValidator,
  type McpOffer,
  registerTool,
  toJsonSchema,
  toResult,
  type WorkflowPlatform,
} from "@oven/module-workflows";
import { ANSWER_REVIEW, answerReview } from "../platform-mcp/answer-review.ts";
import { registerGuide } from "../platform-mcp/guide-resources.ts";
import { INSTRUCTIONS } from "../platform-mcp/instructions.ts";
import type { PlatformTool } from "../platform-mcp/platform-tool.ts";
import { type AskCatalogue, callPlatformTool, platformTools, shownSchemas } from "../platform-mcp/platform-tools.ts";
import { SCORE_RUN, scoreRun } from "../platform-mcp/score-run.ts";
import { callBoundTool, isCallable, permissionsOf, toBoundTool } from "./bound-tools.ts";
import { registerModules } from "./module-resources.ts";
import { registerSources } from "./source-resources.ts";
import { toAnnotations } from "./tool-annotations.ts";

/** The seven tools of executor chains, as the catalogue has them. */
const CHAIN_TOOLS: readonly string[] = [
  "create_workflow",
  "schedule_workflow",
  "list_workflows",
  "get_workflow_run",
  "list_failed_runs",
  "cancel_workflow",
  "run_workflow",
];

interface PlatformMcpDeps {
  services: Pick<ServiceMap, "tools" | "config">;
  platform: Pick<WorkflowPlatform, "reviews" | "scores" | "resources">;
  publicUrl: string;
  registry: RegistryView;
}

/** What a call of one of the server's tools takes; without a name: all that any of them takes. */
export function platformNeeds({ tools }: Pick<ServiceMap, "tools">, tool?: string): string[] {
  const isMeant = (name: string) => tool === undefined || tool === name;
  const ids = [
    ...CHAIN_TOOLS.filter(isMeant),
    ...platformTools.filter(({ name }) => isMeant(name)).flatMap(({ calls }) => [...calls]),
  ];
  const own = [
    ...(isMeant(ANSWER_REVIEW.name) ? ["reviews.decide"] : []),
    ...(isMeant(SCORE_RUN.name) ? ["scores.write"] : []),
  ];
  return [...new Set([...ids.flatMap((id) => permissionsOf(tools.get(id))), ...own])];
}

/** The platform itself as an MCP server: its catalogue, workflows, runs and reviews, as far as this client is permitted. */
export function offerPlatform(deps: PlatformMcpDeps, principal: Principal, request: Request): McpOffer {
  const { services } = deps;
  const permitted = new Map(
    services.tools
      .list(principal)
      .filter(isCallable)
      .map((info) => [info.id, info]),
  );
  const chains = CHAIN_TOOLS.flatMap((id) => permitted.get(id) ?? []);
  const offered = platformTools.flatMap((tool): [PlatformTool, McpToolDefinition][] => {
    const called = tool.calls.map((id) => permitted.get(id));
    return called.every((info) => info !== undefined) ? [[tool, definitionOf(tool, called)]] : [];
  });
  const createServer = () => {
    const server = new McpServer(
      { name: "oven", title: "OVEN", version: "1.0.0" },
      {
        instructions: INSTRUCTIONS,
        jsonSchemaValidator: linearValidator,
        capabilities: { prompts: {}, resources: {} },
      },
    );
    const keyOf = ({ mcpReq }: ServerContext) => `mcp:oven:${idempotencyKeyOf(mcpReq._meta, request)}`;
    for (const [tool, definition] of offered)
      registerTool(
        server,
        definition,
        async (given, context) => {
          const { signal } = context.mcpReq;
          const ask = catalogueOf(services.tools, { principal, signal, idempotencyKey: keyOf(context) });
          return toResult(await callPlatformTool(tool, given, { principal, publicUrl: deps.publicUrl, ask }));
        },
        { input: acceptAll },
      );
    for (const info of chains)
      registerTool(server, { ...toBoundTool(info), name: info.id }, async (input, context) => {
        const call = { principal, signal: context.mcpReq.signal, idempotencyKey: keyOf(context) };
        return callBoundTool(services.tools, info, input, call);
      });
    if (isGranted(principal.permissions, "reviews.decide"))
      registerTool(server, ANSWER_REVIEW, async (input) => toResult(await answerReview(deps, principal, input)));
    if (isGranted(principal.permissions, "scores.write"))
      registerTool(server, SCORE_RUN, async (input) => toResult(await scoreRun(deps.platform, principal, input)));
    if (permitted.has("definitions.guide")) registerGuide(server);
    if (isGranted(principal.permissions, "system.read")) registerModules(server, deps.registry);
    registerSources(server, principal, deps.platform.resources.all());
    return server;
  };
  const schemas = new Map([
    ...offered.map(([{ name, input }]): [string, JsonObject] => [name, toJsonSchema(input, "input")]),
    ...chains.map(({ id, inputSchema }): [string, JsonObject] => [id, inputSchema]),
  ]);
  return { createServer, inputSchema: (name) => schemas.get(name), revision: [...schemas.keys()].join() };
}

const EFFECTS: readonly Effect[] = ["pure", "idempotent", "at-least-once", "at-most-once"];

function definitionOf(tool: PlatformTool, called: readonly (ToolInfo | undefined)[]): McpToolDefinition {
  const { name, title, description } = tool;
  const strongest = Math.max(...called.map((info) => EFFECTS.indexOf(info?.effect ?? "pure")));
  const annotations = toAnnotations(EFFECTS[strongest] ?? "pure");
  return { name, title, description, ...shownSchemas(tool), annotations };
}

/** Each call of the catalogue within one call of a client has a key of its own, the same whenever the client repeats it. */
function catalogueOf(
  tools: ServiceMap["tools"],
  options: { principal: Principal; signal: AbortSignal; idempotencyKey: string },
): AskCatalogue {
  let count = 0;
  return async (id, args) => {
    count += 1;
    return tools.call(id, args, { ...options, idempotencyKey: `${options.idempotencyKey}:${count}` });
  };
}
