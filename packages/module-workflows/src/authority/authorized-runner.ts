import type { Principal } from "@oven/contract";
import type { NodeCall, NodeRunner } from "@oven/engine";
import { requirePermission } from "@oven/module-registry";

/** Whether the call comes behind a wait for something outside the run's own calls. */
export type CallMoment = "run" | "wait";

/**
 * Calls each node as the principal that its run may act as, and only if that principal holds what the node needs. Tools and
 * routes that the node calls are checked with the same principal.
 */
export function authorizeNodes(
  nodes: NodeRunner,
  principalOf: (call: NodeCall, moment: CallMoment) => Promise<Principal>,
  permissionsOf: (src: string, version: number) => readonly string[],
): NodeRunner {
  const authorize = async (call: NodeCall, moment: CallMoment = "run"): Promise<NodeCall> => {
    const principal = await principalOf(call, moment);
    const what = `Step ${call.node.nodeId} (${call.src})`;
    for (const permission of permissionsOf(call.src, call.version)) requirePermission(principal, permission, what);
    return { ...call, principal };
  };
  return {
    run: async (call) => nodes.run(await authorize(call)),
    resume: async (call, signal) =>
      nodes.resume(await authorize(call, signal.type === "items" ? "run" : "wait"), signal),
    runItem: async (call, item) => nodes.runItem(await authorize(call), item),
  };
}
