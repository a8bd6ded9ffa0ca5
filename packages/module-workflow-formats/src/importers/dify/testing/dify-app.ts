import type { Json, JsonObject } from "@oven/contract";

/** A node of a Dify app. Its title is its id. */
export const at = (id: string, data: JsonObject, parentId?: string): JsonObject => ({
  id,
  ...(parentId === undefined ? {} : { parentId }),
  data: { title: id, ...data },
});

export const edge = (source: string, target: string, sourceHandle = "source"): JsonObject => ({
  source,
  target,
  sourceHandle,
});

/** Edges from each to the next. */
export const chain = (...ids: string[]): JsonObject[] => ids.slice(1).map((id, index) => edge(ids[index] ?? "", id));

export const app = (nodes: JsonObject[], edges: JsonObject[], variables: JsonObject[] = []): JsonObject => ({
  kind: "app",
  app: { name: "App", mode: "workflow" },
  workflow: { conversation_variables: variables, graph: { nodes, edges } },
});

export const chat = (nodes: JsonObject[], edges: JsonObject[]): JsonObject => ({
  ...app(nodes, edges),
  app: { name: "App", mode: "advanced-chat" },
});

export const withFeatures = (document: JsonObject, features: JsonObject): JsonObject => ({
  ...document,
  workflow: { ...(document.workflow as JsonObject), features }, // cast: as `app` makes it
});

export const start = (...variables: JsonObject[]): JsonObject => at("start", { type: "start", variables });

/** An end node with its outputs, each a name and the selector of a variable. */
export const end = (id: string, ...outputs: [string, ...string[]][]): JsonObject =>
  at(id, {
    type: "end",
    outputs: outputs.map(([variable, ...value_selector]) => ({ variable, value_selector })),
  });

export const answer = (id: string, text: string, parentId?: string): JsonObject =>
  at(id, { type: "answer", answer: text }, parentId);

/** A template with `{{name}}` for each variable. */
export const template = (id: string, text: string, variables: { [name: string]: string[] } = {}): JsonObject =>
  at(id, {
    type: "template-transform",
    template: text,
    variables: Object.entries(variables).map(([variable, value_selector]) => ({ variable, value_selector })),
  });

/** An if-else with one case, `yes`. */
export const when = (
  id: string,
  variable_selector: string[],
  comparison_operator: string,
  value: Json = "",
): JsonObject =>
  at(id, {
    type: "if-else",
    cases: [
      { case_id: "yes", logical_operator: "and", conditions: [{ variable_selector, comparison_operator, value }] },
    ],
  });
