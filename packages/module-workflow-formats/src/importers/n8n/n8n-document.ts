import { type Json, type JsonObject, JsonSchema } from "@oven/contract";
import { isObject } from "@oven/engine";
import { z } from "zod";
import type { SourceEdge } from "../../importing/complete/source-graph.ts";
import { NodeKeySchema } from "../../importing/graph/part-key.ts";
import { refuseProblems, type SourceProblem } from "../../shared/source-problem.ts";

/** Exports have null where a setting was cleared; n8n takes it as one that is not there. */
const optional = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined);

const NodeSchema = z.looseObject({
  name: NodeKeySchema.min(1).max(500),
  type: z.string().min(1).max(200),
  typeVersion: optional(z.number()),
  position: optional(z.tuple([z.number(), z.number()])),
  parameters: optional(z.record(z.string(), JsonSchema)),
  credentials: optional(z.record(z.string(), JsonSchema)),
  disabled: optional(z.boolean()),
  notes: optional(z.string()),
  onError: optional(z.string()),
  continueOnFail: optional(z.boolean()),
  retryOnFail: optional(z.boolean()),
  maxTries: optional(z.number()),
  waitBetweenTries: optional(z.number()),
  alwaysOutputData: optional(z.boolean()),
});

const ConnectionSchema = z.looseObject({
  node: z.string(),
  type: z.string().optional(),
  index: z.int().min(0).optional(),
});

/** An object by names that authors choose, `__proto__` among them. */
const byName = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value) => (isObject(value) ? new Map(Object.entries(value)) : value),
    z.map(z.string(), schema, { error: "Expected an object" }),
  );

export const N8nDocumentSchema = z.looseObject({
  name: z.string().max(500).optional(),
  nodes: z.array(NodeSchema).min(1).max(2_000),
  connections: byName(byName(z.array(z.array(ConnectionSchema).nullable()))),
  settings: optional(
    z.looseObject({
      errorWorkflow: optional(z.string()),
      timezone: optional(z.string()),
      executionOrder: optional(z.string()),
    }),
  ),
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
  /** Of what it is a part, where a node of an app became several. */
  part?: AppPart;
  /** Why nothing does what it does, where it is known which app it is of. */
  refused?: string;
}

/** What a node of an app became is reported as that one node. */
export interface AppPart {
  /** The name of the app's node; its last part has it, too. */
  of: string;
  /** What the app's node became, in a sentence. */
  becomes: string;
  isLast: boolean;
  /** What the app's node was set to. */
  original: JsonObject;
  notes: readonly string[];
}

/** What takes the place of a node; undefined: nothing. */
export type LowerNode = (
  node: N8nNode,
  nameOf: (what: string) => string,
) => { nodes: readonly N8nNode[] } | { reason: string } | undefined;

/** The document with its connections from either end. Everything is found by name, as n8n does. */
export class N8nDocument {
  readonly name: string;
  readonly nodes: ReadonlyMap<string, N8nNode>;
  readonly errorWorkflow: string | undefined;
  /** Documents that do not say are of the time before `v1`. */
  readonly executionOrder: "v0" | "v1";
  /** IANA name. */
  readonly timezone: string | undefined;
  /** Nodes that had the name of another one, and that nothing is connected with. */
  readonly renamed: readonly { from: string; to: string }[];
  /** All connections; n8n passes over those with an end that is not there. */
  readonly edges: readonly SourceEdge[];
  readonly #outputs = new Map<string, string[][]>();
  readonly #inputs = new Map<string, { from: string; output: number; input: number }[]>();
  readonly #helpers = new Map<string, { type: string; node: N8nNode }[]>();

  /**
   * @param lower makes nodes of apps requests
   * @throws OvenError SOURCE_INVALID for doubled names that are connected
   */
  constructor(document: z.infer<typeof N8nDocumentSchema>, lower: LowerNode = () => undefined) {
    this.name = document.name?.trim() || "n8n workflow";
    this.errorWorkflow = document.settings?.errorWorkflow;
    this.executionOrder = document.settings?.executionOrder === "v1" ? "v1" : "v0";
    const zone = document.settings?.timezone;
    this.timezone = zone !== undefined && /^[A-Za-z_]+(?:\/[A-Za-z_+-]+)+$|^UTC$/.test(zone) ? zone : undefined;
    const renamed: { from: string; to: string }[] = [];
    const problems: SourceProblem[] = [];
    const nodes = new Map<string, N8nNode>();
    const given = new Set(document.nodes.map(({ name }) => name));
    for (const [index, spec] of document.nodes.entries()) {
      const path = `$.nodes[${index}]`;
      if (!nodes.has(spec.name)) {
        nodes.set(spec.name, toNode(spec, path));
        continue;
      }
      const unclear = connectionsOf(spec.name, document.connections);
      if (unclear.length > 0) {
        const listed = unclear.slice(0, 5).join(", ");
        problems.push({
          path: `${path}.name`,
          message: `Two nodes are called ${JSON.stringify(spec.name)}, and which of them is connected is not clear: ${listed}`,
          fix: "Rename one of them, in its connections as well.",
        });
        continue;
      }
      const name = freeName(spec.name, given);
      given.add(name);
      renamed.push({ from: spec.name, to: name });
      nodes.set(name, toNode({ ...spec, name }, path));
    }
    refuseProblems(problems);
    const helpers = helpersIn(document.connections);
    const first = new Map<string, string>();
    const lowered = new Map<string, N8nNode>();
    for (const node of nodes.values()) {
      const nameOf = (what: string) => freeName(`${node.name} ${what}`, given, true);
      const made = node.disabled || helpers.has(node.name) ? undefined : lower(node, nameOf);
      if (made === undefined || "reason" in made) {
        lowered.set(node.name, made === undefined ? node : { ...node, refused: made.reason });
        continue;
      }
      for (const part of made.nodes) {
        given.add(part.name);
        lowered.set(part.name, part);
      }
      const [begin] = made.nodes;
      if (begin !== undefined) first.set(node.name, begin.name);
    }
    this.nodes = lowered;
    const edges: SourceEdge[] = [];
    for (const [from, kinds] of document.connections)
      for (const [kind, outputs] of kinds)
        for (const [output, targets] of outputs.entries())
          for (const [index, { node, index: input = 0 }] of (targets ?? []).entries()) {
            const path = `$.connections.${from}.${kind}[${output}][${index}]`;
            edges.push({ path, from, to: node, output: `${kind} ${output}`, isAside: kind !== "main" });
            if (!nodes.has(from) || !nodes.has(node)) continue;
            this.#connect(from, kind, output, kind === "main" ? (first.get(node) ?? node) : node, input);
          }
    this.#connectParts(first);
    this.edges = edges;
    this.renamed = renamed;
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

  /** Parts of one node follow each other; a request that fails leads where the whole node does. */
  #connectParts(first: ReadonlyMap<string, string>): void {
    for (const [name, begin] of first) {
      const parts = [...this.nodes.values()].filter(({ part }) => part?.of === name).map((part) => part.name);
      const errors = this.outputs(name, 1);
      for (const [index, part] of parts.slice(0, -1).entries()) {
        this.#connect(part, "main", 0, parts[index + 1] ?? begin, 0);
        if (this.nodes.get(part)?.type === "httpRequest")
          for (const target of errors) this.#connect(part, "main", 1, target, 0);
      }
    }
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

  /** Steps behind outputs that lead to several at once, of which one leads to a node. */
  besides(name: string): N8nNode[] {
    const before = new Set([name]);
    for (const key of before) for (const { from } of this.inputs(key)) before.add(from);
    const found = new Set<string>();
    for (const key of before)
      for (const [output, targets] of (this.#outputs.get(key) ?? []).entries())
        if (new Set(targets).size > 1 && targets.some((target) => before.has(target)))
          for (const one of this.reachFrom(key, output)) found.add(one);
    return [...found].flatMap((one) => this.nodes.get(one) ?? []);
  }

  /** Whether several ways that are gone along at once come together in a node. */
  joinsWays(name: string): boolean {
    const before = new Set([name]);
    for (const key of before) for (const { from } of this.inputs(key)) before.add(from);
    return [...before].some((key) =>
      (this.#outputs.get(key) ?? []).some(
        (targets) => new Set(targets.filter((target) => before.has(target))).size > 1,
      ),
    );
  }

  /** Whether runs come to the steps behind an output through it only. */
  isClosed(name: string, output: number): boolean {
    const body = this.reachFrom(name, output);
    body.delete(name);
    return [...body].every((key) =>
      this.inputs(key).every((input) => body.has(input.from) || (input.from === name && input.output === output)),
    );
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

/** Connections from and to a name, as words. */
function connectionsOf(name: string, connections: z.infer<typeof N8nDocumentSchema>["connections"]): string[] {
  return [...connections].flatMap(([from, kinds]) =>
    [...kinds.values()]
      .flatMap((outputs) => outputs.flatMap((targets) => targets ?? []))
      .filter(({ node }) => from === name || node === name)
      .map(({ node }) => `“${from}” to “${node}”`),
  );
}

/** Nodes that serve other ones. */
function helpersIn(connections: z.infer<typeof N8nDocumentSchema>["connections"]): Set<string> {
  const isAside = (kinds: ReadonlyMap<string, unknown>) => [...kinds.keys()].some((kind) => kind !== "main");
  return new Set([...connections].flatMap(([from, kinds]) => (isAside(kinds) ? [from] : [])));
}

/** As n8n names a node that is pasted. @param isNew whether the name itself may be free */
function freeName(name: string, taken: ReadonlySet<string>, isNew = false): string {
  if (isNew && !taken.has(name)) return name;
  for (let number = 1; ; number += 1) if (!taken.has(`${name}${number}`)) return `${name}${number}`;
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

const TRIGGERS = new Set([
  ...["webhook", "manualTrigger", "scheduleTrigger", "cron", "interval", "formTrigger", "start", "emailReadImap"],
]);

export function isTrigger({ type }: N8nNode): boolean {
  return TRIGGERS.has(type) || /trigger$/i.test(type);
}

/** Whether a node does something in a run: no trigger, no note, and none that only serves another one. */
export function isStep(node: N8nNode, document: N8nDocument): boolean {
  return !isTrigger(node) && node.type !== "stickyNote" && !document.isHelper(node.name);
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
