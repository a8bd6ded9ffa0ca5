import { McpServer } from "@modelcontextprotocol/server";
import { isGranted, type Principal } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { McpToolDefinition } from "@oven/contract/mcp";
import { DecisionSchema, ReviewSchema } from "@oven/contract/review";
import type { RegistryView, ServiceMap } from "@oven/module-registry";
import {
  idempotencyKeyOf,
  linearValidator,
  type McpOffer,
  registerTool,
  toJsonSchema,
  toResult,
  type WorkflowPlatform,
} from "@oven/module-workflows";
import { z } from "zod";
import { callBoundTool, isCallable, permissionsOf, toBoundTool } from "./bound-tools.ts";
import { registerModules } from "./module-resources.ts";

/** By the name that clients see: the tool of the platform that it calls. A name alone is a tool's own id. */
const TOOLS: readonly (string | [name: string, id: string])[] = [
  "create_workflow",
  "schedule_workflow",
  "list_workflows",
  "get_workflow_run",
  "list_failed_runs",
  "cancel_workflow",
  "run_workflow",
  ["find_node_types", "nodes.find"],
  ["describe_node_type", "nodes.describe"],
  ["list_tools", "agents.tools.list"],
  ["validate_definition", "agents-workflow.agentWorkflows.validate"],
  ["explain_error", "errors.explain"],
  ["list_agent_workflows", "agents-workflow.agentWorkflows.list"],
  ["get_agent_workflow", "agents-workflow.agentWorkflows.get"],
  ["create_agent_workflow", "agents-workflow.agentWorkflows.create"],
  ["update_agent_workflow", "agents-workflow.agentWorkflows.update"],
  ["execute_agent_workflow", "agents-workflow.agentWorkflows.execute"],
  ["list_runs", "agents-workflow.agentWorkflowExecutions.list"],
  ["get_run", "agents-workflow.agentWorkflowExecutions.get"],
  ["retry_run", "agents-workflow.agentWorkflowExecutions.retry"],
  ["cancel_run", "agents-workflow.agentWorkflowExecutions.cancel"],
  ["list_reviews", "workflows.reviews.list"],
  ["get_review", "workflows.reviews.get"],
];

const AnswerSchema = DecisionSchema.omit({ reviewId: true })
  .required({ digest: true })
  .extend({ id: z.int().positive().describe("The review's id") });

const ANSWER_REVIEW: McpToolDefinition = {
  name: "answer_review",
  title: "Answer a review",
  description:
    "Decides what a paused run waits for. `digest` is the one that get_review showed. The first decision wins.",
  inputSchema: toJsonSchema(AnswerSchema, "input"),
  outputSchema: toJsonSchema(ReviewSchema, "output"),
  annotations: { readOnlyHint: false },
};

const INSTRUCTIONS =
  "Builds, runs and repairs workflows of this OVEN. To write a definition, look steps up with find_node_types and describe_node_type, check it with validate_definition, whose problems name their place and a fix; then create_agent_workflow and execute_agent_workflow. To repair a failed run, read it with get_run, look up its code with explain_error, change the workflow with update_agent_workflow, and retry_run. A run that waits for a person is decided with answer_review, if that is allowed to you.";

interface PlatformMcpDeps {
  services: Pick<ServiceMap, "tools">;
  platform: Pick<WorkflowPlatform, "reviews">;
  registry: RegistryView;
}

/** What a call of one of the server's tools takes; without a name: all that any of them takes. */
export function platformNeeds({ tools }: Pick<ServiceMap, "tools">, tool?: string): string[] {
  const ids = TOOLS.flatMap((entry) => {
    const [name, id] = typeof entry === "string" ? [entry, entry] : entry;
    return tool === undefined || tool === name ? [id] : [];
  });
  const deciding = tool === undefined || tool === ANSWER_REVIEW.name ? ["reviews.decide"] : [];
  return [...new Set([...ids.flatMap((id) => permissionsOf(tools.get(id))), ...deciding])];
}

/** The platform itself as an MCP server: its catalogue, workflows, runs and reviews, as far as this client is permitted. */
export function offerPlatform(
  { services, platform, registry }: PlatformMcpDeps,
  principal: Principal,
  request: Request,
): McpOffer {
  const permitted = new Map(services.tools.list(principal).map((info) => [info.id, info]));
  const offered = TOOLS.flatMap((entry): [string, ToolInfo][] => {
    const [name, id] = typeof entry === "string" ? [entry, entry] : entry;
    const info = permitted.get(id);
    return info === undefined || !isCallable(info) ? [] : [[name, info]];
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
    for (const [name, info] of offered)
      registerTool(server, { ...toBoundTool(info), name }, async (input, { mcpReq }) => {
        const idempotencyKey = `mcp:oven:${idempotencyKeyOf(mcpReq._meta, request)}`;
        return callBoundTool(services.tools, info, input, { principal, signal: mcpReq.signal, idempotencyKey });
      });
    if (isGranted(principal.permissions, "reviews.decide"))
      registerTool(server, ANSWER_REVIEW, async (input) => {
        const { id, ...decision } = AnswerSchema.parse(input);
        return toResult(await platform.reviews.decide(principal, id, decision));
      });
    if (isGranted(principal.permissions, "system.read")) registerModules(server, registry);
    return server;
  };
  const inputSchema = (name: string) => offered.find(([known]) => known === name)?.[1].inputSchema;
  return { createServer, inputSchema, revision: offered.map(([name]) => name).join() };
}
