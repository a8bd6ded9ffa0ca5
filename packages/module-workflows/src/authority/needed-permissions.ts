import type { AgentConfig, Definition } from "@oven/contract/workflow";
import type { NodeDefinition } from "@oven/module-registry";
import type { CalledWorkflow } from "../definitions/called-workflows.ts";
import type { GraphFacts, NamedAgent } from "../policies/graph-facts.ts";
import { type InvokedNode, invokedNodes } from "./invoked-nodes.ts";

export interface NeededPermissions {
  /** By permission, the labels of the steps that cannot do without it. */
  required: ReadonlyMap<string, readonly string[]>;
  /** Permissions that the steps also run without: those of tools that a pattern matches now, and of inputs that may take a tool. */
  optional: ReadonlySet<string>;
  /** Labels of the steps whose tools, called workflow or agent only the run knows, and of those that hand on what they may do. */
  computed: readonly string[];
}

/** What is looked up on the way: nodes, tools, and what is called by a literal name. */
export interface NeedSources {
  node(src: string, version?: number): NodeDefinition | undefined;
  facts: GraphFacts;
  /** A called workflow with one name for it however it was called; undefined: there is none now. */
  called(call: Omit<CalledWorkflow, "path">): Promise<{ key: string; definition: Definition } | undefined>;
}

export interface NeedOptions {
  /** The workflow itself, which is not examined again where it calls itself. */
  self?: string | undefined;
  /** The agent whose runs run it, and what it calls: its tools are those of steps that name none. */
  agent?: (Pick<NamedAgent, "toolBindings"> & Partial<Pick<NamedAgent, "key">>) | undefined;
}

/** What the steps of a definition need permissions for, with those of the workflows and agents that it calls by a literal name. */
export async function neededPermissions(
  definition: Definition,
  sources: NeedSources,
  { self, agent }: NeedOptions = {},
): Promise<NeededPermissions> {
  const gatherer = new Gatherer(sources, self === undefined ? [] : [self]);
  await gatherer.add(definition, "", agent);
  return gatherer.result();
}

class Gatherer {
  readonly #sources: NeedSources;
  readonly #seen: Set<string>;
  readonly #required = new Map<string, Set<string>>();
  readonly #optional = new Set<string>();
  readonly #computed = new Set<string>();

  constructor(sources: NeedSources, seen: readonly string[]) {
    this.#sources = sources;
    this.#seen = new Set(seen);
  }

  async add(definition: Definition, prefix: string, agent: NeedOptions["agent"]): Promise<void> {
    for (const step of invokedNodes(definition, this.#sources.node)) {
      const label = prefix + step.label;
      for (const permission of step.node.permissions ?? []) this.#require(permission, label);
      for (const permission of step.node.mayNeed?.(step.input) ?? []) this.#optional.add(permission);
      if (step.node.delegates === true) this.#computed.add(label);
      await this.#addTools(definition.agentConfig ?? {}, step, label, agent);
      await this.#addCalls(step, label, agent);
      await this.#addAgent(step, label);
    }
  }

  result(): NeededPermissions {
    return {
      required: new Map([...this.#required].map(([permission, labels]) => [permission, [...labels].sort()])),
      optional: this.#optional,
      computed: [...this.#computed].sort(),
    };
  }

  #require(permission: string, label: string): void {
    this.#required.set(permission, (this.#required.get(permission) ?? new Set()).add(label));
  }

  /** A step's own list of tools counts before that of an agent it names, then the definition's, then that of the run's agent. */
  async #addTools(
    agentConfig: AgentConfig,
    { src, input }: InvokedNode,
    label: string,
    agent: NeedOptions["agent"],
  ): Promise<void> {
    const { facts } = this.#sources;
    if (facts.offered(src, input, agentConfig) === undefined) return;
    // What only tells a model of tools is not refused without them.
    const isCaller = facts.tools(src, input, agentConfig) !== undefined;
    let tools = agentConfig.tools ?? agent?.toolBindings;
    if (input.tools === undefined) {
      const named = facts.agent(src, input);
      if (named !== undefined) {
        const found = named.name === null ? undefined : await facts.findAgent(named.name);
        if (named.name === null && isCaller) this.#computed.add(label);
        if (found !== undefined && found.toolBindings.length > 0) tools = found.toolBindings;
      } else if (tools === undefined && isCaller) this.#computed.add(label);
    }
    const chosen = { ...agentConfig, ...(tools === undefined ? {} : { tools: [...tools] }) };
    const { patterns, tools: found = [] } = facts.offered(src, input, chosen) ?? {};
    if (patterns === undefined) {
      if (isCaller) this.#computed.add(label);
      return;
    }
    for (const { id, permissions, mayNeed = [], delegates } of found) {
      if (delegates === true && isCaller) this.#computed.add(label);
      for (const permission of mayNeed) this.#optional.add(permission);
      for (const permission of permissions)
        if (isCaller && patterns.includes(id)) this.#require(permission, label);
        else this.#optional.add(permission);
    }
  }

  async #addCalls({ node, input }: InvokedNode, label: string, agent: NeedOptions["agent"]): Promise<void> {
    const calls = node.calls?.(input);
    if (calls?.length === 0) this.#computed.add(label);
    for (const call of calls ?? []) {
      const found = await this.#sources.called(call);
      if (found !== undefined) await this.#addOnce(found.key, found.definition, `${label}/`, agent);
    }
  }

  /** A step that asks an agent in a run of its own. */
  async #addAgent({ src, input }: InvokedNode, label: string): Promise<void> {
    const named = this.#sources.facts.agent(src, input);
    if (named?.asked !== true) return;
    if (named.name === null) this.#computed.add(label);
    const agent = named.name === null ? undefined : await this.#sources.facts.findAgent(named.name);
    if (agent === undefined) return;
    const found =
      typeof agent.runs === "number"
        ? await this.#sources.called({ kind: "agent-workflow", workflow: String(agent.runs) })
        : { key: agent.key, definition: agent.runs };
    if (found !== undefined) await this.#addOnce(found.key, found.definition, `${label}/`, agent);
  }

  /** What is called counts at the first place that calls it, once for each agent whose tools it may use. */
  async #addOnce(called: string, definition: Definition, prefix: string, agent: NeedOptions["agent"]): Promise<void> {
    const key = agent?.key === undefined ? called : `${called} of ${agent.key}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    await this.add(definition, prefix, agent);
  }
}
