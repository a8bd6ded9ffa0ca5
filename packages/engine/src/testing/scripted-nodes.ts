import type { Json, JsonObject } from "@oven/contract";
import type { Effect, ItemRequest, NodeResult, NodeSignal } from "@oven/contract/node";
import type { Retry } from "@oven/contract/workflow";
import type {
  CatalogEntry,
  ExpandRequest,
  Expansion,
  InputSchema,
  NodeCall,
  NodeCatalog,
  NodeRunner,
} from "../ports.ts";

/** A node whose behaviour a test gives. */
export interface ScriptedNode {
  effect?: Effect;
  isLocal?: boolean;
  reads?: CatalogEntry["reads"];
  retry?: Retry;
  timeoutMs?: number;
  input?: InputSchema;
  endsRun?: boolean;
  isWait?: boolean;
  verbatim?: readonly string[];
  paths?: readonly string[];
  /** As a JSON Schema. */
  outputSchema?(): JsonObject;
  expand?(request: ExpandRequest): Expansion;
  run?(call: NodeCall): NodeResult | Promise<NodeResult>;
  resume?(call: NodeCall, signal: NodeSignal): NodeResult | Promise<NodeResult>;
  runItem?(call: NodeCall, item: ItemRequest): NodeResult | Promise<NodeResult>;
}

const ANYTHING: InputSchema = { safeParse: (value) => ({ success: true, data: value }) };

/** Catalog and runner over scripted nodes; `calls` lists what was called, in order. */
export class ScriptedNodes implements NodeCatalog, NodeRunner {
  readonly calls: string[] = [];
  /** Examples of outputs, by node. */
  readonly examples: Record<string, Json> = {};
  readonly #nodes: Record<string, ScriptedNode>;

  constructor(nodes: Record<string, ScriptedNode>) {
    this.#nodes = nodes;
  }

  get(src: string, version?: number): CatalogEntry | undefined {
    const node = Object.hasOwn(this.#nodes, src) ? this.#nodes[src] : undefined;
    if (!node || (version !== undefined && version !== 1)) return undefined;
    return {
      id: src,
      version: 1,
      effect: node.effect ?? "pure",
      input: node.input ?? ANYTHING,
      ...(node.outputSchema ? { outputSchema: node.outputSchema } : {}),
      ...(node.retry ? { retry: node.retry } : {}),
      ...(node.timeoutMs === undefined ? {} : { timeoutMs: node.timeoutMs }),
      ...(node.isLocal ? { isLocal: true } : {}),
      ...(node.reads ? { reads: node.reads } : {}),
      ...(node.endsRun ? { endsRun: true } : {}),
      ...(node.isWait ? { isWait: true } : {}),
      ...(node.verbatim ? { verbatim: node.verbatim } : {}),
      ...(node.paths ? { paths: node.paths } : {}),
      ...(node.expand ? { expand: node.expand } : {}),
      ...(this.examples[src] === undefined ? {} : { example: () => this.examples[src] ?? null }),
    };
  }

  names(): string[] {
    return Object.keys(this.#nodes);
  }

  async run(call: NodeCall): Promise<NodeResult> {
    return this.#call("run", call, (node) => node.run?.(call));
  }

  async resume(call: NodeCall, signal: NodeSignal): Promise<NodeResult> {
    return this.#call("resume", call, (node) => node.resume?.(call, signal));
  }

  async runItem(call: NodeCall, item: ItemRequest): Promise<NodeResult> {
    return this.#call("item", call, (node) => node.runItem?.(call, item));
  }

  async #call(
    how: string,
    call: NodeCall,
    act: (node: ScriptedNode) => NodeResult | Promise<NodeResult> | undefined,
  ): Promise<NodeResult> {
    const { nodeId, visit, item } = call.node;
    this.calls.push(`${how} ${nodeId}#${visit}${item === null ? "" : `/${item}`}`);
    const node = this.#nodes[call.src];
    const result = node && (await act(node));
    if (!result) throw new Error(`${call.src} has no ${how}`);
    return result;
  }
}
