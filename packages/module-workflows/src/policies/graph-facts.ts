import type { AgentConfig, Effect, JsonObject } from "@oven/contract";

/** A tool as policies see it. */
export interface PolicyTool {
  id: string;
  effect: Effect;
  tags: readonly string[];
  /** Each call of it waits for a person, who sees exactly that call. */
  needsApproval: boolean;
}

/** Who decides: `user:3`, `role:support-lead`; empty: anyone who may; null: known only when it runs. */
export type Deciders = readonly string[] | null;

/** What only the modules that bring the nodes know of them. Inputs are raw: literals, paths and templates, unresolved. */
export interface GraphFacts {
  /** The tools that a node may call, where it calls any. What is computed may be any tool. */
  tools(
    src: string,
    input: JsonObject,
    agentConfig: AgentConfig,
  ): { tools: PolicyTool[]; deciders: Deciders } | undefined;
  /** A tool by its id; undefined where there is none now. */
  tool(id: string): PolicyTool | undefined;
  /** Whether the node is a review, and who decides it. */
  review(src: string, input: JsonObject): { deciders: Deciders } | undefined;
  /** The model that a node asks; undefined where none is asked, or it is known only when it runs. */
  model(src: string, input: JsonObject, agentConfig: AgentConfig): string | undefined;
  /** `providerId:modelId` of a model's name; undefined where it stands for nothing now. */
  resolveModel(name: string, tenantId: number): Promise<string | undefined>;
}

/** As long as no module says more: no node calls tools, asks models or is a review. */
export const NO_FACTS: GraphFacts = {
  tools: () => undefined,
  tool: () => undefined,
  review: () => undefined,
  model: () => undefined,
  resolveModel: async () => undefined,
};
