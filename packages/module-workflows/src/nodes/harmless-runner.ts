import { OvenError } from "@oven/contract";
import type { Effect, NodeKind } from "@oven/contract/node";
import type { NodeCall, NodeRunner } from "@oven/engine";

interface Acting {
  effect: Effect;
  kind: NodeKind;
}

/** Whether repeating it changes nothing in the world. */
export function isHarmless(effect: Effect): boolean {
  return effect === "pure" || effect === "idempotent";
}

/** @param what such as `The tool orders.refund` */
export function effectRefused(what: string): OvenError {
  return new OvenError("EFFECT_REFUSED", `${what} would act on the world, and this run is to have no effects`, {
    status: 422,
    fix: "Pin the node's output, or allow effects for this run.",
  });
}

/**
 * Of a run that is to have no effects, calls only what has none. Models are asked; nodes of memory keep from writing themselves.
 * Tools that a model calls are looked at where they are called.
 */
export function keepHarmless(
  nodes: NodeRunner,
  find: (src: string, version: number) => Acting | undefined,
): NodeRunner {
  const requireHarmless = ({ src, version, options }: NodeCall) => {
    if (options?.refuseEffects !== true) return;
    const node = find(src, version);
    if (node === undefined || isHarmless(node.effect) || node.kind === "model" || node.kind === "memory") return;
    throw effectRefused(`The node ${src}`);
  };
  return {
    run: async (call) => {
      requireHarmless(call);
      return nodes.run(call);
    },
    resume: async (call, signal) => {
      requireHarmless(call);
      return nodes.resume(call, signal);
    },
    runItem: async (call, item) => {
      requireHarmless(call);
      return nodes.runItem(call, item);
    },
  };
}
