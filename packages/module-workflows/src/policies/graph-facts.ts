import type { JsonObject } from "@oven/contract";
import type { Effect } from "@oven/contract/node";
import type { AgentConfig, Definition } from "@oven/contract/workflow";
import type { CeilingFacts } from "@oven/module-registry";

/** A tool as policies see it. */
export interface PolicyTool {
  id: string;
  effect: Effect;
  tags: readonly string[];
  /** What who calls it must hold. */
  permissions: readonly string[];
  /** Each call of it waits for a person, who sees exactly that call; no deadline approves it. */
  needsApproval: boolean;
  /** Further permissions, needed only with some arguments. */
  mayNeed?: readonly string[];
  /** It hands on what its caller may do: which permissions that takes, only its arguments say. */
  delegates?: boolean;
}

/** An agent as it is now. */
export interface NamedAgent {
  key: string;
  toolBindings: readonly string[];
  /** What its runs are of: a definition of its own, or the agent workflow with this id. */
  runs: Definition | number;
}

/** Who decides: `user:3`, `role:support-lead`; empty: anyone who may; null: known only when it runs. */
export type Deciders = readonly string[] | null;

/** What steps need of models, tools and agents, looked up while it is computed. */
export interface Spending {
  /** What is not read yet is taken as nothing. */
  facts: CeilingFacts;
  /** Reads what was asked for and not known; false: nothing was. */
  load(): Promise<boolean>;
  /**
   * What a step runs of agents that it asks in runs of their own; null: only the run knows, or it is gone. Undefined: it asks none.
   */
  asked(src: string, input: JsonObject): readonly ({ key: string; definition: Definition } | null)[] | undefined;
}

/** What only the modules that bring the nodes know of them. Inputs are raw: literals, paths and templates, unresolved. */
export interface GraphFacts {
  /**
   * The tools that a node may call, where it calls any, and the names and patterns that choose them. Undefined patterns: only
   * the run knows them, and it may be any tool.
   */
  tools(
    src: string,
    input: JsonObject,
    agentConfig: AgentConfig,
  ): { tools: PolicyTool[]; patterns: readonly string[] | undefined; deciders: Deciders } | undefined;
  /** The tools that a node tells a model of, where it does, chosen as in `tools`: it need not be the one that calls them. */
  offered(
    src: string,
    input: JsonObject,
    agentConfig: AgentConfig,
  ): { tools: PolicyTool[]; patterns: readonly string[] | undefined } | undefined;
  /** A tool by its id; undefined where there is none now. */
  tool(id: string): PolicyTool | undefined;
  /** Every tool that there is now. */
  everyTool(): readonly PolicyTool[];
  /**
   * The agent that a step names, by id or slug; null: only the run knows which. `asked`: in a run of its own, else the step uses its
   * settings.
   */
  agent(src: string, input: JsonObject): { name: string | null; asked: boolean } | undefined;
  /** By id or slug; undefined: there is none now. */
  findAgent(name: string): Promise<NamedAgent | undefined>;
  /** Whether the node is a review that only people can approve, and who decides it. */
  review(src: string, input: JsonObject): { deciders: Deciders } | undefined;
  /** Whether a node of this type asks people for a release, regardless of who may approve. */
  isReview(src: string): boolean;
  /** The model that a node asks; undefined where none is asked, or it is known only when it runs. */
  model(src: string, input: JsonObject, agentConfig: AgentConfig): string | undefined;
  /** `providerId:modelId` of a model's name; undefined where it stands for nothing now. */
  resolveModel(name: string, tenantId: number): Promise<string | undefined>;
  /** For one worst case. */
  spending(): Spending;
}

/** As long as no module says more: no node calls tools, asks models or is a review. */
export const NO_FACTS: GraphFacts = {
  tools: () => undefined,
  offered: () => undefined,
  tool: () => undefined,
  everyTool: () => [],
  agent: () => undefined,
  findAgent: async () => undefined,
  review: () => undefined,
  isReview: () => false,
  model: () => undefined,
  resolveModel: async () => undefined,
  spending: () => ({
    facts: { ask: () => ({}), tools: () => [], spends: () => false, agent: () => undefined },
    load: async () => false,
    asked: () => undefined,
  }),
};
