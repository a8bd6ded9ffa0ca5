import type { NodeCall, NodeRunner } from "@oven/engine";

/** Checks the policies before each call of a node, also after a wait, because policies may have changed since the run started. */
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
