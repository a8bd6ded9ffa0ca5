import type { NodeResult } from "@oven/contract/node";
import type { NodeCall, NodeRunner } from "@oven/engine";
import { withLogFields } from "@oven/module-registry";

/** The runner, with what nodes write to the console marked with their run, node and tenant. */
export function logNodes(nodes: NodeRunner): NodeRunner {
  const marked = (call: NodeCall, work: () => Promise<NodeResult>): Promise<NodeResult> => {
    const { executionId, kind, nodeId, visit } = call.node;
    const { workflowId } = call.settings;
    const { tenantId } = call.principal;
    return withLogFields({ executionId, kind, workflowId, tenantId, nodeId, nodeType: call.src, visit }, work);
  };
  return {
    run: (call) => marked(call, () => nodes.run(call)),
    resume: (call, signal) => marked(call, () => nodes.resume(call, signal)),
    runItem: (call, item) => marked(call, () => nodes.runItem(call, item)),
  };
}
