import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { ItemRequest, NodeResult, NodeSignal } from "@oven/contract/node";
import type { NodeCall, NodeCatalog, NodeRunner } from "../../index.ts";
import { ScriptedNodes } from "../scripted-nodes.ts";
import type { Shape } from "./shape.ts";

const KINDS = ["task", "items", "pair", "review", "sleep", "listen"] as const;
const EFFECTS = ["pure", "idempotent", "at-least-once", "at-most-once"] as const;
const BIG = "x".repeat(40_000);

export function isLocal(src: string): boolean {
  return src === "task.pure";
}

/** One entry per kind and effect; a pair expands to two tasks. */
export function simulatedCatalog(): NodeCatalog {
  return new ScriptedNodes(
    Object.fromEntries(
      KINDS.flatMap((kind) =>
        EFFECTS.map((effect) => [
          `${kind}.${effect}`,
          {
            effect,
            isLocal: isLocal(`${kind}.${effect}`),
            ...(kind === "pair"
              ? {
                  expand: ({ stateId, input }: { stateId: string; input: JsonObject }) => ({
                    initial: "one",
                    states: {
                      one: { invoke: { src: `task.${effect}`, input, onDone: "two" } },
                      two: { invoke: { src: `task.${effect}`, input, onDone: "end" } },
                      end: { type: "final" as const },
                    },
                    output: { one: `$["${stateId}.one_output"].visit`, two: `$["${stateId}.two_output"].visit` },
                  }),
                }
              : {}),
          },
        ]),
      ),
    ),
  );
}

/** A call in flight: it does nothing until the world lets it return. */
export interface HeldCall {
  worker: string;
  call: NodeCall;
  release(): void;
}

export interface NodeWorld {
  shapes: ReadonlyMap<string, Shape>;
  /** Outside of parallel regions the conversation grows in a fixed order. */
  mayChat: boolean;
  now(): number;
  /** Recorded faults of the call's unit. */
  failuresOf(call: NodeCall): number;
  hold(held: HeldCall): void;
}

/** What nodes of the definition do, the same in every run of it whatever goes wrong around them. */
export class SimulatedNodes implements NodeRunner {
  readonly #world: NodeWorld;
  readonly #worker: string;

  constructor(world: NodeWorld, worker: string) {
    this.#world = world;
    this.#worker = worker;
  }

  run(call: NodeCall): Promise<NodeResult> {
    return this.#later(call, (shape, failures) => {
      if (!shape.late || shape.kind === "task" || shape.kind === "pair") fault(shape, failures);
      return begin(shape, call, this.#world);
    });
  }

  resume(call: NodeCall, signal: NodeSignal): Promise<NodeResult> {
    return this.#later(call, (shape, failures) => {
      if (shape.late) fault(shape, failures);
      return finish(call, signal, this.#world);
    });
  }

  runItem(call: NodeCall, item: ItemRequest): Promise<NodeResult> {
    return this.#later(call, (shape, failures) => {
      const index = Number(item.input);
      fault({ ...shape, failures: index % 2 === 1 ? shape.failures : 0 }, failures);
      if (shape.broken && index === 0) throw new OvenError("BROKEN", "This item never works");
      return { type: "done", output: { item: item.key, visit: call.node.visit }, spend: SPEND };
    });
  }

  /** What the call will answer is decided when it is made, from what is recorded then. */
  #later(call: NodeCall, act: (shape: Shape, failures: number) => NodeResult): Promise<NodeResult> {
    const shape = this.#world.shapes.get(call.node.nodeId.split(".")[0] ?? "");
    if (!shape) throw new Error(`no shape for ${call.node.nodeId}`);
    const failures = this.#world.failuresOf(call);
    if (shape.timed && shape.kind === "task") call.text("p", `visit ${call.node.visit}`);
    return new Promise((resolve, reject) => {
      const release = (): void => {
        try {
          resolve(act(shape, failures));
        } catch (cause) {
          reject(cause);
        }
      };
      this.#world.hold({ worker: this.#worker, call, release });
    });
  }
}

export const SPEND = { tokenUsage: { input: 1, output: 2, total: 3 }, costMicros: 5 };

/** Of the composite's inner nodes the second is the broken one, so that the first has an outcome. */
function isBroken(shape: Shape, { node }: NodeCall): boolean {
  return shape.broken && (shape.kind === "task" || node.nodeId.endsWith(".two"));
}

function fault(shape: Shape, failures: number): void {
  if (failures < shape.failures) throw new OvenError("BUSY", "Not now", { retryable: true });
}

function begin(shape: Shape, call: NodeCall, { now, mayChat }: NodeWorld): NodeResult {
  const due = (minutes: number): string => new Date(now() + minutes * 60_000).toISOString();
  const dueAt = shape.timed ? due(shape.minutes) : null;
  const { nodeId, visit } = call.node;
  switch (shape.kind) {
    case "review":
      return {
        type: "wait",
        for: "review",
        request: {
          title: nodeId,
          proposal: { visit },
          schema: null,
          context: null,
          tool: null,
          assignees: [],
          actions: ["approve", "edit", "reject"],
          dueAt,
        },
      };
    case "sleep":
      return { type: "wait", for: "timer", request: { dueAt: due(shape.minutes) } };
    case "listen":
      return { type: "wait", for: "event", request: { event: `event_${nodeId}`, correlation: null, dueAt } };
    case "items": {
      const items = Array.from({ length: shape.size }, (_, index) => ({ key: `k${index}`, input: index }));
      return { type: "wait", for: "items", request: { items, concurrency: shape.concurrency } };
    }
    default: {
      if (isBroken(shape, call)) throw new OvenError("BROKEN", "This never works");
      call.emit("simulation.done", { nodeId, visit });
      const patch = [
        { op: "add" as const, path: "/messages/-", value: { role: "user", content: `${nodeId} ${visit}` } },
      ];
      const output: Json = { visit, ...(shape.big ? { text: BIG } : {}) };
      return { type: "done", output, spend: SPEND, ...(mayChat ? { patch } : {}) };
    }
  }
}

function finish(call: NodeCall, signal: NodeSignal, { mayChat }: NodeWorld): NodeResult {
  const { nodeId, visit } = call.node;
  call.emit("simulation.done", { nodeId, visit });
  const said: Json =
    signal.type === "decision"
      ? { action: signal.action, data: signal.data }
      : signal.type === "event"
        ? { payload: signal.payload }
        : signal.type === "items"
          ? { items: signal.items.map(({ key, status, output }) => ({ key, status, output })) }
          : {};
  const patch = [{ op: "add" as const, path: "/messages/-", value: { role: "tool", content: nodeId } }];
  return { type: "done", output: { visit, ...said }, spend: SPEND, ...(mayChat ? { patch } : {}) };
}
