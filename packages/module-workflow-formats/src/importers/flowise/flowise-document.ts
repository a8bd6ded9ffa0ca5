import { type Json, type JsonObject, JsonObjectSchema } from "@oven/contract";
import { isObject } from "@oven/engine";
import { z } from "zod";
import type { SourceEdge } from "../../importing/complete/source-graph.ts";
import { NodeKeySchema } from "../../importing/graph/part-key.ts";

export const START = "startAgentflow";
export const STICKY_NOTE = "stickyNoteAgentflow";

const NodeSchema = z.looseObject({
  id: NodeKeySchema.min(1),
  parentNode: z.string().nullish(),
  position: z.looseObject({ x: z.number(), y: z.number() }).nullish(),
  data: z.looseObject({
    name: z.string(),
    label: z.string().nullish(),
    inputs: JsonObjectSchema.nullish(),
    credential: z.string().nullish(),
  }),
});

/** An agentflow of Flowise as it is exported. */
export const FlowiseDocumentSchema = z.looseObject({
  description: z.string().nullish(),
  nodes: z.array(NodeSchema).min(1).max(2_000),
  edges: z
    .array(z.looseObject({ source: z.string(), target: z.string(), sourceHandle: z.string().nullish() }))
    .max(10_000),
});

export interface FlowiseNode {
  id: string;
  /** Its kind, such as `llmAgentflow`. */
  type: string;
  label: string;
  path: string;
  inputs: JsonObject;
  hasCredential: boolean;
  /** The iteration that it is in. */
  parent: string | undefined;
  position: readonly [number, number] | undefined;
}

/** The nodes and edges of an agentflow. */
export class FlowiseDocument {
  readonly nodes: ReadonlyMap<string, FlowiseNode>;
  readonly edges: readonly SourceEdge[];

  constructor({ nodes, edges }: z.infer<typeof FlowiseDocumentSchema>) {
    this.nodes = new Map(
      nodes.map(({ id, parentNode, position, data }, index): [string, FlowiseNode] => [
        id,
        {
          ...{ id, type: data.name, path: `$.nodes[${index}]`, inputs: data.inputs ?? {} },
          label: data.label || id,
          hasCredential: [data.credential, data.inputs?.FLOWISE_CREDENTIAL_ID].some((one) => one != null && one !== ""),
          parent: parentNode || undefined,
          position: position ? [position.x, position.y] : undefined,
        },
      ]),
    );
    this.edges = edges.map(({ source, target, sourceHandle }, index) => ({
      ...{ path: `$.edges[${index}]`, from: source, to: target },
      output: outputOf(source, sourceHandle),
    }));
  }

  /** What follows an output of a node; without one, all that follows. */
  outputs(id: string, output?: string): string[] {
    return this.edges
      .filter(
        ({ from, to, output: own }) => from === id && this.nodes.has(to) && (output === undefined || own === output),
      )
      .map(({ to }) => to);
  }

  /** What the rounds of an iteration begin with. */
  bodyOf(id: string): string[] {
    return [...this.nodes.values()]
      .filter(({ id: own, parent, type }) => parent === id && type !== STICKY_NOTE && !this.#hasBefore(own))
      .map((node) => node.id);
  }

  #hasBefore(id: string): boolean {
    return this.edges.some(({ from, to }) => to === id && this.nodes.has(from));
  }

  /** Whether no edge leads from the steps of an iteration to others, or from others to them. */
  isClosed(id: string): boolean {
    const isInside = (key: string) => this.nodes.get(key)?.parent === id;
    return this.edges.every(
      ({ from, to }) => !this.nodes.has(from) || !this.nodes.has(to) || isInside(from) === isInside(to),
    );
  }
}

/** `conditionAgentflow_0-output-1` of `conditionAgentflow_0` is `1`; of a node with one output its name. */
function outputOf(source: string, handle: string | null | undefined): string {
  const prefix = `${source}-output-`;
  const output = handle?.startsWith(prefix) ? handle.slice(prefix.length) : (handle ?? "");
  return /^\d+$/.test(output) ? output : "";
}

export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A field's text; empty where there is none. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : "";
}
