import type { Json, JsonObject } from "@oven/contract";

/** A node of n8n; a type without a package is one of n8n's own. */
export function n8nNode(name: string, type: string, parameters: JsonObject = {}, more: JsonObject = {}): JsonObject {
  const fullType = type.startsWith("langchain.")
    ? type.replace("langchain.", "@n8n/n8n-nodes-langchain.")
    : `n8n-nodes-base.${type}`;
  return { name, type: fullType, typeVersion: 3.4, position: [0, 0], parameters, ...more };
}

/** The trigger of a sub-workflow: what the workflow is called with is its item. */
export const called = (name: string): JsonObject =>
  n8nNode(name, "executeWorkflowTrigger", { inputSource: "passthrough" });

/** The outputs of a node, each with the names of the nodes it leads to. */
export const linked = (...outputs: string[][]): JsonObject => ({
  main: outputs.map((names) => names.map((node) => ({ node, type: "main", index: 0 }))),
});

export function documentOf(nodes: JsonObject[], connections: Record<string, Json>): JsonObject {
  return { name: "Test", nodes, connections };
}

/** Nodes that lead to one another, each by its first output. */
export function chainOf(...nodes: JsonObject[]): JsonObject {
  const names = nodes.map(({ name }) => String(name));
  const links = names.slice(1).map((name, index): [string, Json] => [names[index] ?? "", linked([name])]);
  return documentOf(nodes, Object.fromEntries(links));
}

/** A node that writes its own name as `w`. */
export const writes = (name: string): JsonObject =>
  n8nNode(name, "set", { assignments: { assignments: [{ name: "w", type: "string", value: name }] } });
