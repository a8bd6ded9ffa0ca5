import { isOvenError, type Json, type JsonObject, SYSTEM_PRINCIPAL } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import { ReviewStageSchema } from "@oven/contract/review";
import type { AgentConfig, Definition } from "@oven/contract/workflow";
import { namesTool, toDefinition } from "@oven/module-agent-core";
import type { ServiceMap } from "@oven/module-registry";
import type { Deciders, GraphFacts, PolicyTool } from "@oven/module-workflows";
import { z } from "zod";
import { runProgramNode } from "./code/run-program.node.ts";
import { writeProgramNode } from "./code/write-program.node.ts";
import { humanReviewNode } from "./human-review.node.ts";
import { llmNode } from "./llm.node.ts";
import { DEFAULT_MODEL } from "./model-input.ts";
import { createSpending } from "./spending.ts";
import { subagentNode } from "./subagent.node.ts";
import { NeedsApprovalSchema, toolExecutorNode } from "./tool-executor.node.ts";

/** Steps that ask the model of their input. */
const ASKING: ReadonlySet<string> = new Set([llmNode.id, writeProgramNode.id]);
/** Steps that show tools to a model or a program, and call none themselves. */
const OFFERING: ReadonlySet<string> = new Set([...ASKING, runProgramNode.id]);

const StagesSchema = z.array(ReviewStageSchema);

/** What policies on graphs need to know of agent.* nodes: the tools they call, the models they ask, who reviews. */
export function createGraphFacts(
  services: Pick<ServiceMap, "tools" | "ai" | "agents" | "workflowPlatform">,
  tenantId: number,
): GraphFacts {
  // As steps select them, but with every permission: who will run them is not known.
  const select = (input: JsonObject, agentConfig: AgentConfig) => {
    const patterns = toPatterns(input, agentConfig);
    // What is computed may come out as anything.
    return { patterns, tools: services.tools.named(patterns ?? ["*"], tenantId).map(toPolicyTool) };
  };
  return {
    offered: (src, input, agentConfig) =>
      src === toolExecutorNode.id || OFFERING.has(src) ? select(input, agentConfig) : undefined,
    tools(src, input, agentConfig) {
      if (src !== toolExecutorNode.id) return undefined;
      const { patterns, tools } = select(input, agentConfig);
      const asksPeople = isDecidedByPeople(input);
      return {
        tools: tools.map((tool) => ({
          ...tool,
          needsApproval: asksPeople && (tool.needsApproval || isAskedHere(input, tool.id)),
        })),
        patterns,
        deciders: toDeciders(input),
      };
    },
    tool: (id) => {
      const found = services.tools.get(id, tenantId);
      return found && toPolicyTool(found);
    },
    everyTool: () => services.tools.named(["*"], tenantId).map(toPolicyTool),
    agent(src, { agent }) {
      const asked = src === subagentNode.id;
      if (agent === undefined || (!asked && src !== toolExecutorNode.id && !OFFERING.has(src))) return undefined;
      const isNamed = typeof agent === "number" || (typeof agent === "string" && isLiteral(agent));
      return { name: isNamed ? String(agent) : null, asked };
    },
    async findAgent(name) {
      try {
        const { id, version } = await services.agents.get({ ...SYSTEM_PRINCIPAL, tenantId }, name);
        const settings = await services.agents.settingsOf({ id, version, sessionId: null });
        const { toolBindings, workflowId } = settings;
        // cast: what is made of an agent's settings is valid
        const own = toDefinition(settings) as unknown as Definition;
        return { key: `agent:${id}`, toolBindings, runs: workflowId ?? own };
      } catch (error) {
        if (isOvenError(error) && error.status === 404) return undefined;
        throw error;
      }
    },
    review: (src, input) =>
      src === humanReviewNode.id && input.when === undefined && isDecidedByPeople(input)
        ? { deciders: toDeciders(input) }
        : undefined,
    isReview: (src) => src === humanReviewNode.id,
    spending: () => createSpending(services, tenantId),
    model(src, input, agentConfig) {
      if (!ASKING.has(src)) return undefined;
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

/** Undefined: they are computed. */
function toPatterns(input: JsonObject, agentConfig: AgentConfig): readonly string[] | undefined {
  const given = input.tools ?? agentConfig.tools ?? [];
  return isLiterals(given) ? given : undefined;
}

/** Whether the step has people asked about each call of a tool. */
function isAskedHere({ needsApproval }: JsonObject, tool: string): boolean {
  const { data = [] } = NeedsApprovalSchema.safeParse(needsApproval);
  return data.some((rule) => rule.when === undefined && namesTool([rule.tool], tool));
}

function toPolicyTool(tool: ToolInfo): PolicyTool {
  const { id, effect, tags = [], permission, permissions, mayNeed = [], delegates = false } = tool;
  // A condition lets some calls through.
  const needsApproval = tool.needsApproval && tool.approvalWhen === undefined;
  const needed = permissions ?? (permission === null ? [] : [permission]);
  return { id, effect, tags, needsApproval, mayNeed, delegates, permissions: needed };
}

/** Who has to approve whatever is proposed; where only conditions say, any of those who may be asked. */
function toDeciders({ assignees = [], stages }: JsonObject): Deciders {
  if (!isLiterals(assignees)) return null;
  if (stages === undefined) return assignees;
  const parsed = StagesSchema.safeParse(stages);
  if (!parsed.success || !parsed.data.every((stage) => isLiterals(stage.assignees))) return null;
  const always = parsed.data.find(({ when }) => when === undefined);
  return (
    always?.assignees ??
    (assignees.length === 0 ? [] : [...assignees, ...parsed.data.flatMap((stage) => stage.assignees)])
  );
}

/** Whether only people can approve: a deadline that approves, or that only the run knows, may release what no person saw. */
function isDecidedByPeople({ onDeadline = "error" }: JsonObject): boolean {
  if (onDeadline === "error") return true;
  if (onDeadline === null || typeof onDeadline !== "object" || Array.isArray(onDeadline)) return false;
  return onDeadline.action === "reject" || (onDeadline.action === undefined && onDeadline.escalateTo !== undefined);
}

function isLiterals(value: Json): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string" && isLiteral(item));
}

function isLiteral(text: string): boolean {
  return !text.startsWith("$") && !text.includes("{{");
}
