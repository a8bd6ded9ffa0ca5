import { type AgentConfig, isOvenError, type Json, type JsonObject, type ToolInfo } from "@oven/contract";
import type { ServiceMap } from "@oven/module-registry";
import type { Deciders, GraphFacts, PolicyTool } from "@oven/module-workflows";
import { humanReviewNode } from "./human-review.node.ts";
import { llmNode } from "./llm.node.ts";
import { DEFAULT_MODEL } from "./model-request.ts";
import { toolExecutorNode } from "./tool-executor.node.ts";

/** What policies on graphs need to know of agent.* nodes: the tools they call, the models they ask, who reviews. */
export function createGraphFacts(services: Pick<ServiceMap, "tools" | "ai">, tenantId: number): GraphFacts {
  return {
    tools(src, input, agentConfig) {
      if (src !== toolExecutorNode.id) return undefined;
      // As the executor selects them, but with every permission: who will run it is not known.
      return {
        tools: services.tools.named(toPatterns(input, agentConfig), tenantId).map(toPolicyTool),
        deciders: toDeciders(input),
      };
    },
    tool: (id) => {
      const found = services.tools.get(id, tenantId);
      return found && toPolicyTool(found);
    },
    review: (src, input) => (src === humanReviewNode.id ? { deciders: toDeciders(input) } : undefined),
    model(src, input, agentConfig) {
      if (src !== llmNode.id) return undefined;
      const model = input.model ?? agentConfig.model ?? DEFAULT_MODEL;
      return typeof model === "string" && isLiteral(model) ? model : undefined;
    },
    async resolveModel(name) {
      try {
        const { providerId, modelId } = await services.ai.resolve(name, tenantId);
        return `${providerId}:${modelId}`;
      } catch (error) {
        // Calling it will say so; to a policy it is a name that stands for nothing.
        if (isOvenError(error)) return undefined;
        throw error;
      }
    },
  };
}

/** What is computed may come out as anything. */
function toPatterns(input: JsonObject, agentConfig: AgentConfig): readonly string[] {
  const given = input.tools ?? agentConfig.tools ?? [];
  return isLiterals(given) ? given : ["*"];
}

function toPolicyTool({ id, effect, tags = [], needsApproval }: ToolInfo): PolicyTool {
  return { id, effect, tags, needsApproval };
}

function toDeciders({ assignees = [] }: JsonObject): Deciders {
  return isLiterals(assignees) ? assignees : null;
}

function isLiterals(value: Json): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string" && isLiteral(item));
}

function isLiteral(text: string): boolean {
  return !text.startsWith("$") && !text.includes("{{");
}
