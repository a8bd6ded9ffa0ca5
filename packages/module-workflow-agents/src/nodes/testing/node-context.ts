import type { Json, JsonObject, Principal } from "@oven/contract";
import type { RunAgent } from "@oven/contract/node";
import type { RunOptions } from "@oven/contract/run";
import type { AgentConfig, MemoryConfig } from "@oven/contract/workflow";
import type { NodeContext, RunnableNode, ServiceMap } from "@oven/module-registry";

export interface ContextOptions {
  input?: JsonObject;
  /** Values of the run by root key: `messages` for `$.messages`. */
  values?: JsonObject;
  agentConfig?: AgentConfig;
  memoryConfig?: MemoryConfig;
  streamingEnabled?: boolean;
  services?: Partial<ServiceMap>;
  principal?: Principal;
  signal?: AbortSignal;
  item?: string;
  agent?: RunAgent;
  options?: RunOptions;
}

export interface RecordedContext extends NodeContext<Record<string, unknown>> {
  texts: [partId: string, chunk: string][];
  events: [name: string, fields: JsonObject][];
  logs: [level: string, message: string][];
}

const OWNER: Principal = { kind: "user", userId: 1, tenantId: 1, permissions: ["*"] };

/** A node's context outside a run: the input parsed by the node's own schema, and a record of what the node did. */
export function createNodeContext(node: RunnableNode, options: ContextOptions = {}): RecordedContext {
  const texts: RecordedContext["texts"] = [];
  const events: RecordedContext["events"] = [];
  const logs: RecordedContext["logs"] = [];
  const values: Record<string, Json> = { messages: [], toolCalls: [], ...options.values };
  return {
    input: node.input.parse(options.input ?? {}),
    node: {
      executionId: 12,
      rootExecutionId: 12,
      kind: "agent-workflow",
      nodeId: "draft",
      visit: 1,
      attempt: 1,
      item: options.item ?? null,
    },
    now: () => Date.now(),
    pinnedCalls: {},
    agent: options.agent ?? null,
    options: options.options ?? null,
    principal: options.principal ?? OWNER,
    signal: options.signal ?? new AbortController().signal,
    settings: {
      agentConfig: options.agentConfig ?? {},
      memoryConfig: options.memoryConfig ?? {},
      maxToolIterations: 10,
      streamingEnabled: options.streamingEnabled ?? true,
      workflowId: 7,
      workflowName: "Support reply",
    },
    idempotencyKey: (ordinal = 0) => `key-${ordinal}`,
    read: (path) => values[path.slice("$.".length)],
    config: async () => null,
    services: (options.services ?? {}) as ServiceMap, // cast: a test gives the services that its node uses
    emit: () => {},
    log: (level, message) => logs.push([level, message]),
    text: (partId, chunk) => texts.push([partId, chunk]),
    event: (name, fields) => events.push([name, fields]),
    texts,
    events,
    logs,
  };
}
