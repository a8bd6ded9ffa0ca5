import type { NodeCall, NodeRunner } from "@oven/engine";

/** Asks before each call of a node, also before one that goes on after a wait: policies may be younger than the run. */
export function guardNodes(nodes: NodeRunner, require: (call: NodeCall) => Promise<void>): NodeRunner {
  return {
    run: async (call) => {
      await require(call);
      return nodes.run(call);
    },
    resume: async (call, signal) => {
      await require(call);
      return nodes.resume(call, signal);
    },
    runItem: async (call, item) => {
      await require(call);
      return nodes.runItem(call, item);
    },
  };
}
