import type { Definition, State } from "@oven/contract/workflow";

/** What a definition names as it stands; what is computed in a run is not known here. */
export interface References {
  /** Node types of all its states. */
  nodes: string[];
  /** Patterns of tools: `orders.get`, `orders.*`, `!orders.refund`. */
  tools: string[];
  /** Ids or slugs of the agents that it asks. */
  agents: string[];
  /** Ids or slugs of the vector stores that it searches. */
  stores: string[];
}

/** Node types whose `tools` are calls of the workflow. */
export const CALLING_TOOLS: ReadonlySet<string> = new Set([
  "agent.toolLoop",
  "agent.code",
  "agent.toolExecutor",
  "agent.llm",
]);
const EVERYTHING = "*";

/** `*` binds whatever the platform has, today and later: that names nothing in particular, so it is left out. */
export function referencesOf({ states, agentConfig }: Definition): References {
  const invoked = [...invocationsIn(states)];
  const callers = invoked.filter(({ src }) => CALLING_TOOLS.has(src));
  const inherited = callers.length === 0 ? [] : literals(agentConfig?.tools);
  const named = callers.map(({ input }) => literals(input?.tools)).filter((patterns) => !patterns.includes(EVERYTHING));
  const asked = invoked.filter(({ src }) => src === "agent.subagent").map(({ input }) => input?.agent);
  const searched = invoked.filter(({ src }) => src === "agent.rag").map(({ input }) => input?.store);
  return {
    stores: [...new Set(literals(searched))],
    nodes: [...new Set(invoked.map(({ src }) => src))],
    tools: [...new Set([...named, inherited.includes(EVERYTHING) ? [] : inherited].flat())],
    agents: [...new Set(asked.flatMap((agent) => (typeof agent === "number" ? [String(agent)] : literals([agent]))))],
  };
}

export function* invocationsIn(states: Record<string, State>): Iterable<NonNullable<State["invoke"]>> {
  for (const { invoke, states: inner, loop } of Object.values(states)) {
    if (invoke !== undefined) yield invoke;
    if (inner !== undefined) yield* invocationsIn(inner);
    if (loop !== undefined) yield* invocationsIn(loop.bodyStates);
  }
}

export function literals(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (item): item is string => typeof item === "string" && !item.startsWith("$") && !item.includes("{{"),
  );
}
