import { type Json, type JsonObject, JsonSchema } from "@oven/contract";
import { z } from "zod";
import { refuseProblems, type SourceProblem } from "../../shared/source-problem.ts";

const NodeSchema = z.looseObject({
  name: z.string().min(1).max(500),
  type: z.string().min(1).max(200),
  typeVersion: z.number().optional(),
  position: z.tuple([z.number(), z.number()]).optional(),
  parameters: z.record(z.string(), JsonSchema).optional(),
  credentials: z.record(z.string(), JsonSchema).optional(),
  disabled: z.boolean().optional(),
  notes: z.string().optional(),
  onError: z.string().optional(),
  continueOnFail: z.boolean().optional(),
  retryOnFail: z.boolean().optional(),
  maxTries: z.number().optional(),
  waitBetweenTries: z.number().optional(),
});

const ConnectionSchema = z.looseObject({
  node: z.string(),
  type: z.string().optional(),
  index: z.int().min(0).optional(),
});

export const N8nDocumentSchema = z.looseObject({
  name: z.string().max(500).optional(),
  nodes: z.array(NodeSchema).min(1).max(2_000),
  connections: z.record(z.string(), z.record(z.string(), z.array(z.array(ConnectionSchema).nullable()))),
  settings: z.looseObject({ errorWorkflow: z.string().optional() }).optional(),
});

export interface N8nNode {
  name: string;
  /** `if`, `langchain.agent`; with its package where that is neither of n8n's own. */
  type: string;
  fullType: string;
  /** Without one it is the newest, as n8n takes it. */
  version: number;
  parameters: JsonObject;
  path: string;
  disabled: boolean;
  spec: z.infer<typeof NodeSchema>;
}

/** The document with its connections from either end. Everything is found by name, as n8n does. */
export class N8nDocument {
  readonly name: string;
  readonly nodes: ReadonlyMap<string, N8nNode>;
  readonly errorWorkflow: string | undefined;
  readonly #outputs = new Map<string, string[][]>();
  readonly #inputs = new Map<string, { from: string; output: number; input: number }[]>();
  readonly #helpers = new Map<string, { type: string; node: N8nNode }[]>();

  /** @throws OvenError SOURCE_INVALID for names that are doubled, and connections of nodes that are not there */
  constructor(document: z.infer<typeof N8nDocumentSchema>) {
    this.name = document.name?.trim() || "n8n workflow";
    this.errorWorkflow = document.settings?.errorWorkflow;
    const problems: SourceProblem[] = [];
    const nodes = new Map<string, N8nNode>();
    for (const [index, spec] of document.nodes.entries()) {
      const path = `$.nodes[${index}]`;
      if (nodes.has(spec.name))
        problems.push({
          path: `${path}.name`,
          message: `Two nodes are called ${JSON.stringify(spec.name)}`,
          fix: "Rename one of them, in its connections as well.",
        });
      nodes.set(spec.name, toNode(spec, path));
    }
    this.nodes = nodes;
    for (const [from, kinds] of Object.entries(document.connections)) {
      const at = `$.connections.${from}`;
      if (!nodes.has(from)) problems.push(missing(at, from));
      for (const [kind, outputs] of Object.entries(kinds)) {
        for (const [output, targets] of outputs.entries()) {
          for (const [index, { node, index: input = 0 }] of (targets ?? []).entries()) {
            if (nodes.has(node)) this.#connect(from, kind, output, node, input);
            else problems.push(missing(`${at}.${kind}[${output}][${index}].node`, node));
          }
        }
      }
    }
    refuseProblems(problems);
  }

  #connect(from: string, kind: string, output: number, node: string, input: number): void {
    const source = this.nodes.get(from);
    if (source === undefined) return;
    if (kind !== "main") {
      this.#helpers.set(node, [...(this.#helpers.get(node) ?? []), { type: kind, node: source }]);
      return;
    }
    const outputs = this.#outputs.get(from) ?? [];
    this.#outputs.set(from, outputs);
    while (outputs.length <= output) outputs.push([]);
    outputs[output]?.push(node);
    this.#inputs.set(node, [...(this.#inputs.get(node) ?? []), { from, output, input }]);
  }

  /** Which nodes an output leads to. */
  outputs(name: string, output = 0): string[] {
    return this.#outputs.get(name)?.[output] ?? [];
  }

  outputCount(name: string): number {
    return this.#outputs.get(name)?.length ?? 0;
  }

  inputs(name: string): readonly { from: string; output: number; input: number }[] {
    return this.#inputs.get(name) ?? [];
  }

  /** What an output leads to, near and far. */
  reachFrom(name: string, output: number): Set<string> {
    const seen = new Set(this.outputs(name, output));
    for (const key of seen) {
      if (key === name) continue;
      for (let index = 0; index < this.outputCount(key); index += 1)
        for (const next of this.outputs(key, index)) seen.add(next);
    }
    return seen;
  }

  reaches(name: string, output: number, target: string): boolean {
    return this.reachFrom(name, output).has(target);
  }

  /** Models, tools, memories and parsers that hang on a node: `ai_tool` and the like. */
  helpers(name: string, type: string): N8nNode[] {
    return (this.#helpers.get(name) ?? []).flatMap((helper) => (helper.type === type ? [helper.node] : []));
  }

  /** Whether it only serves other nodes. */
  isHelper(name: string): boolean {
    return [...this.#helpers.values()].some((list) => list.some(({ node }) => node.name === name));
  }
}

function toNode(spec: z.infer<typeof NodeSchema>, path: string): N8nNode {
  const type = spec.type.replace(/^n8n-nodes-base\./, "").replace(/^@n8n\/n8n-nodes-langchain\./, "langchain.");
  return {
    name: spec.name,
    type,
    fullType: spec.type,
    version: spec.typeVersion ?? Number.POSITIVE_INFINITY,
    parameters: spec.parameters ?? {},
    path,
    disabled: spec.disabled === true,
    spec,
  };
}

function missing(path: string, name: string): SourceProblem {
  return {
    path,
    message: `There is no node ${JSON.stringify(name)}`,
    fix: "Export the whole workflow again, or take this connection out.",
  };
}

const TRIGGERS = new Set(["webhook", "manualTrigger", "scheduleTrigger", "cron", "interval", "formTrigger", "start"]);

export function isTrigger({ type }: N8nNode): boolean {
  return TRIGGERS.has(type) || /trigger$/i.test(type);
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
