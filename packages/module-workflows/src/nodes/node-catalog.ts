import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import type { CatalogEntry, NodeCall, NodeCatalog, NodeRunner } from "@oven/engine";
import {
  isComposite,
  type NodeContext,
  type NodeDefinition,
  type RegistryView,
  type RunnableNode,
  type ServiceMap,
} from "@oven/module-registry";
import { z } from "zod";
import { type OwnedNode, toApiNodes } from "../api-nodes/api-nodes.ts";
import { exampleOf } from "./example-of.ts";

/** Registered nodes, those made of routes too, as the engine looks them up: by id, newest version first. */
export class RegisteredNodes implements NodeCatalog {
  readonly #registry: RegistryView;
  #all: readonly OwnedNode[] | undefined;
  #byId: ReadonlyMap<string, NodeDefinition[]> | undefined;
  #types: readonly NodeType[] | undefined;
  readonly #outputs = new WeakMap<NodeDefinition, JsonObject>();

  constructor(registry: RegistryView) {
    this.#registry = registry;
  }

  get(src: string, version?: number): (NodeDefinition & Pick<CatalogEntry, "example" | "outputSchema">) | undefined {
    this.#byId ??= Map.groupBy(
      this.all()
        .map(({ node }) => node)
        .toSorted((one, other) => other.version - one.version),
      ({ id }) => id,
    );
    const found = this.#byId.get(src)?.find((node) => version === undefined || node.version === version);
    if (found === undefined) return undefined;
    const outputSchema = () => this.#outputOf(found);
    return { ...found, outputSchema, example: (type = outputSchema()) => exampleOf(type) };
  }

  #outputOf(node: NodeDefinition): JsonObject {
    const schema = this.#outputs.get(node) ?? toJsonSchema(node.output, "output");
    this.#outputs.set(node, schema);
    return schema;
  }

  names(): string[] {
    return [...new Set(this.all().map(({ node }) => node.id))];
  }

  /** Nothing is registered once the runtime has started, so the list is made once. */
  all(): readonly OwnedNode[] {
    this.#all ??= [...this.#registry.nodes(), ...toApiNodes(this.#registry)];
    return this.#all;
  }

  /** What palettes, forms and documentation show. */
  types(): readonly NodeType[] {
    this.#types ??= this.all().map(({ module, node }) => ({
      id: node.id,
      version: node.version,
      title: node.title,
      docs: node.docs,
      ...(node.synonyms === undefined ? {} : { synonyms: [...node.synonyms] }),
      ...(node.firstFields === undefined ? {} : { firstFields: [...node.firstFields] }),
      category: node.category,
      kind: node.kind,
      module: module.name,
      effect: node.effect,
      composite: isComposite(node),
      inputSchema: toJsonSchema(node.input, "input"),
      outputSchema: toJsonSchema(node.output, "output"),
      outcomes: (node.outcomes ?? []).map(({ id, title, guard }) => ({
        id,
        title,
        ...(guard === undefined ? {} : { guard: { ...guard } }),
      })),
      permissions: node.permissions ?? [],
      timeoutMs: node.timeoutMs ?? null,
      isWait: node.isWait === true,
    }));
    return this.#types;
  }
}

/**
 * The JSON Schema of a zod schema.
 * @param io the side that is described where reading and writing differ
 */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonObject; // cast: a JSON Schema is JSON
}

/** A configuration value of the module that owns the node, for the tenant and workflow of the run. */
export type ConfigReader = (call: NodeCall, key: string) => Promise<Json>;

/** Runs registered nodes for the engine. */
export function createNodeRunner(nodes: RegisteredNodes, services: ServiceMap, config: ConfigReader): NodeRunner {
  const find = ({ src, version }: NodeCall): RunnableNode => {
    const node = nodes.get(src, version);
    if (node !== undefined && !isComposite(node)) return node;
    throw new OvenError("NODE_UNAVAILABLE", `The node type ${src} in version ${version} is not installed`, {
      fix: "Install the module that brings it, or retry the run with a newer version of its workflow.",
    });
  };
  const unsupported = (node: RunnableNode, what: string) =>
    new OvenError("NODE_CANNOT_WAIT", `${node.id} asked to wait but does not know how to ${what}`, { status: 500 });
  const toContext = (call: NodeCall): NodeContext<Record<string, unknown>> => ({
    input: call.input as Record<string, unknown>, // cast: the engine parsed it with the node's own z.object
    node: call.node,
    principal: call.principal,
    pinnedCalls: call.pinnedCalls,
    agent: call.agent,
    options: call.options,
    signal: call.signal,
    now: () => call.now(),
    settings: call.settings,
    idempotencyKey: (ordinal) => call.idempotencyKey(ordinal),
    read: (path) => call.read(path),
    config: (key) => config(call, key),
    services,
    emit: (event, payload) => call.emit(event, payload),
    log: (level, message, data) => call.log(level, message, data),
    text: (partId, chunk) => call.text(partId, chunk),
    event: (name, fields) => call.event(name, fields),
  });
  return {
    run: async (call) => find(call).run(toContext(call)),
    resume: async (call, signal) => {
      const node = find(call);
      if (node.resume === undefined) throw unsupported(node, "go on");
      return node.resume(toContext(call), signal);
    },
    runItem: async (call, item) => {
      const node = find(call);
      if (node.runItem === undefined) throw unsupported(node, "run items");
      return node.runItem(toContext(call), item);
    },
  };
}
