import { type Json, type JsonObject, JsonObjectSchema, JsonSchema } from "@oven/contract";
import { isObject } from "@oven/engine";
import { z } from "zod";
import type { SourceEdge } from "../../importing/complete/source-graph.ts";
import { NodeKeySchema } from "../../importing/graph/part-key.ts";
import { refuseProblems, type SourceProblem } from "../../shared/source-problem.ts";

const VariableSchema = z.looseObject({
  name: z.string().min(1),
  value: JsonSchema.optional(),
  value_type: z.string().optional(),
});

const NodeSchema = z.looseObject({
  id: NodeKeySchema.min(1).max(200),
  type: z.string().optional(),
  parentId: z.string().optional(),
  position: z.looseObject({ x: z.number(), y: z.number() }).optional(),
  data: z.looseObject({ type: z.string(), title: z.string().optional(), desc: z.string().optional() }),
});

const EdgeSchema = z.looseObject({ source: z.string(), target: z.string(), sourceHandle: z.string().nullish() });

/** Whether runs may begin with files; `image` is how the first versions have it. */
const FileUploadSchema = z.looseObject({
  enabled: z.boolean().nullish(),
  image: z.looseObject({ enabled: z.boolean().nullish() }).nullish(),
});

export const DifyDocumentSchema = z.looseObject({
  kind: z.literal("app").optional(),
  version: z.union([z.string(), z.number()]).nullish(),
  app: z.looseObject({
    name: z.string().max(500).optional(),
    description: z.string().optional(),
    mode: z.enum(["workflow", "advanced-chat"], {
      error: "Only apps of the modes workflow and advanced-chat (chatflow) have a graph",
    }),
  }),
  workflow: z.looseObject({
    graph: z.looseObject({ nodes: z.array(NodeSchema).min(1).max(2_000), edges: z.array(EdgeSchema).max(10_000) }),
    features: z.looseObject({ file_upload: FileUploadSchema.nullish() }).nullish(),
    environment_variables: z.array(VariableSchema).optional(),
    conversation_variables: z.array(VariableSchema).optional(),
  }),
});

export interface DifyNode {
  id: string;
  type: string;
  title: string;
  data: JsonObject;
  path: string;
  parent: string | undefined;
  position: readonly [number, number] | undefined;
  isNote: boolean;
}

export type DifyVariable = z.infer<typeof VariableSchema>;

/** A Dify app with its edges by where they begin. */
export class DifyDocument {
  readonly name: string;
  readonly description: string | null;
  readonly isChat: boolean;
  /** Whether runs may begin with files, which are `sys.files`. */
  readonly takesFiles: boolean;
  /** Whether a step reads `sys.dialogue_count`. */
  readonly readsCount: boolean;
  readonly nodes: ReadonlyMap<string, DifyNode>;
  readonly environment: readonly DifyVariable[];
  readonly conversation: readonly DifyVariable[];
  readonly edges: readonly SourceEdge[];
  readonly #outputs = new Map<string, Map<string, string[]>>();

  /** @throws OvenError SOURCE_INVALID for ids that are doubled, and edges of nodes that are not there */
  constructor({ app, workflow }: z.infer<typeof DifyDocumentSchema>) {
    this.name = app.name?.trim() || "Dify workflow";
    this.description = app.description?.trim() || null;
    this.isChat = app.mode === "advanced-chat";
    const upload = workflow.features?.file_upload;
    this.takesFiles = upload?.enabled === true || upload?.image?.enabled === true;
    this.readsCount = JSON.stringify(workflow.graph.nodes).includes("dialogue_count");
    this.environment = workflow.environment_variables ?? [];
    this.conversation = workflow.conversation_variables ?? [];
    this.edges = workflow.graph.edges.map(({ source, target, sourceHandle }, index) => ({
      ...{ path: `$.workflow.graph.edges[${index}]`, from: source, to: target },
      output: sourceHandle ?? "source",
    }));
    const problems: SourceProblem[] = [];
    const nodes = new Map<string, DifyNode>();
    for (const [index, node] of workflow.graph.nodes.entries()) {
      const path = `$.workflow.graph.nodes[${index}]`;
      if (nodes.has(node.id))
        problems.push({ path: `${path}.id`, message: `Two nodes have the id ${node.id}`, fix: "Give one another id." });
      nodes.set(node.id, toNode(node, path));
    }
    this.nodes = nodes;
    for (const [index, { source, target, sourceHandle }] of workflow.graph.edges.entries()) {
      for (const [end, id] of Object.entries({ source, target })) {
        if (nodes.has(id)) continue;
        const path = `$.workflow.graph.edges[${index}].${end}`;
        problems.push({ path, message: `There is no node ${id}`, fix: "Export the app again, or take this edge out." });
      }
      const handles = this.#outputs.get(source) ?? new Map<string, string[]>();
      this.#outputs.set(source, handles);
      const handle = sourceHandle ?? "source";
      handles.set(handle, [...(handles.get(handle) ?? []), target]);
    }
    refuseProblems(problems);
  }

  /** Which nodes one of its handles leads to. */
  outputs(id: string, handle = "source"): string[] {
    return this.#outputs.get(id)?.get(handle) ?? [];
  }

  handles(id: string): string[] {
    return [...(this.#outputs.get(id)?.keys() ?? [])];
  }

  /** The type of a variable that steps write: of the conversation, or of a loop; undefined: there is none. */
  typeOf([from, key]: readonly string[]): string | undefined {
    if (from === "conversation")
      return this.conversation.flatMap(({ name, value_type = "string" }) => (name === key ? [value_type] : []))[0];
    const node = this.nodes.get(from ?? "");
    if (node?.type !== "loop") return undefined;
    const variable = objectsIn(node.data.loop_variables).find(({ label }) => label === key);
    return variable && String(variable.var_type ?? "string");
  }

  /** `["start", "sys.query"]` of older exports as `["sys", "query"]`. */
  withoutOldSystem(selector: readonly string[]): readonly string[] {
    const [from = "", key = "", ...rest] = selector;
    if (this.nodes.get(from)?.type !== "start") return selector;
    if (key === "sys") return ["sys", ...rest];
    return key.startsWith("sys.") ? ["sys", key.slice("sys.".length), ...rest] : selector;
  }

  /** A field of the start form, and what it is where it is left out. */
  fieldOf(name: string): { required: boolean; preset: Json } | undefined {
    const start = [...this.nodes.values()].find(({ type }) => type === "start");
    const field = objectsIn(start?.data.variables).find(({ variable }) => variable === name);
    return field && { required: field.required === true, preset: presetOf(field) };
  }

  /** Whether runs come to the steps of an iteration or a loop through its start only, and stay among them. */
  isClosed(id: string): boolean {
    const body = new Set(this.bodyOf(id));
    for (const key of body) for (const { from, to } of this.edges) if (from === key) body.add(to);
    const isInside = (key: string) => body.has(key) || this.nodes.get(key)?.parent === id;
    return !body.has(id) && this.edges.every(({ from, to }) => !body.has(to) || isInside(from));
  }

  /** What the body of an iteration or a loop begins with. */
  bodyOf(id: string): string[] {
    const inner = [...this.nodes.values()].filter(({ parent }) => parent === id);
    const start = inner.find(({ type }) => type === "iteration-start" || type === "loop-start");
    if (start !== undefined) return this.outputs(start.id);
    const named = this.nodes.get(id)?.data.start_node_id;
    return typeof named === "string" && this.nodes.has(named) ? [named] : [];
  }
}

function toNode({ id, type, parentId, position, data }: z.infer<typeof NodeSchema>, path: string): DifyNode {
  const json = JsonObjectSchema.parse(data);
  const parent = parentId ?? json.iteration_id ?? json.loop_id;
  return {
    id,
    type: data.type,
    title: data.title?.trim() || data.type || id,
    data: json,
    path,
    parent: typeof parent === "string" && parent !== "" ? parent : undefined,
    position: position === undefined ? undefined : [position.x, position.y],
    isNote: type === "custom-note",
  };
}

/** The default of a field of the start form, in the field's type; null: it has none. */
export function presetOf({ type, default: preset = null }: JsonObject): Json {
  if (typeof preset !== "string") return preset;
  const text = preset.trim();
  if (type === "number") return text === "" || !Number.isFinite(Number(text)) ? null : Number(text);
  if (type === "checkbox")
    return /^(true|1|yes|on)$/i.test(text) ? true : /^(false|0|no|off)$/i.test(text) ? false : null;
  return preset;
}

/** `[node, variable, …]` */
export function selectorOf(value: Json | undefined): string[] | undefined {
  if (!Array.isArray(value) || value.length < 2) return undefined;
  return value.every((part) => typeof part === "string") ? value : undefined;
}

export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
