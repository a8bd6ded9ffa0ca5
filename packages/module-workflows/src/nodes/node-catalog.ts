import { type Json, type JsonObject, type NodeType, OvenError } from "@oven/contract";
import type { NodeCall, NodeCatalog, NodeRunner } from "@oven/engine";
import {
  isComposite,
  type NodeContext,
  type NodeDefinition,
  type RegistryView,
  type RunnableNode,
  type ServiceMap,
} from "@oven/module-registry";
import { z } from "zod";

/** Registered nodes as the engine looks them up: by id, newest version first. */
export class RegisteredNodes implements NodeCatalog {
  readonly #registry: RegistryView;

  constructor(registry: RegistryView) {
    this.#registry = registry;
  }

  get(src: string, version?: number): NodeDefinition | undefined {
    return this.#registry
      .nodes()
      .map(({ node }) => node)
      .filter((node) => node.id === src && (version === undefined || node.version === version))
      .sort((one, other) => other.version - one.version)[0];
  }

  names(): string[] {
    return [...new Set(this.#registry.nodes().map(({ node }) => node.id))];
  }

  /** What palettes, forms and documentation show. */
  types(): NodeType[] {
    return this.#registry.nodes().map(({ module, node }) => ({
      id: node.id,
      version: node.version,
      title: node.title,
      docs: node.docs,
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
    }));
  }
}

export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonObject; // cast: a JSON Schema is JSON
}

/** A configuration value of the module that owns the node. */
export type ConfigReader = (nodeId: string, key: string) => Json;

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
    signal: call.signal,
    settings: call.settings,
    idempotencyKey: (ordinal) => call.idempotencyKey(ordinal),
    read: (path) => call.read(path),
    config: (key) => config(call.src, key),
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
