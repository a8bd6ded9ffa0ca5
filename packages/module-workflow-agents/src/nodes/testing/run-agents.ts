import type { JsonObject } from "@oven/contract";
import type { NodeResult } from "@oven/contract/node";
import type { ReleasedToolCall } from "@oven/contract/review";
import { hashJson, type NodeCall } from "@oven/engine";
import { EngineHarness, type ScriptedNode } from "@oven/engine/testing";
import { isComposite, type NodeContext, type NodeDefinition, type ServiceMap } from "@oven/module-registry";
import { createWorkflowsModule, type WorkflowPlatform } from "@oven/module-workflows";
import { agentNodes } from "../agent-nodes.ts";

/** The agent nodes, and core nodes beside them, in the real engine, on an in-memory store. */
export function runAgents(definition: JsonObject, services: ServiceMap): EngineHarness {
  const isReleased = async (executionId: number, { tool, arguments: proposal, review }: ReleasedToolCall) => {
    const found = review && harness.store.reviews.get(review.id);
    return found?.executionId === executionId && hashJson({ tool, proposal }) === review?.digest;
  };
  const used = new Map<number, string>();
  const useRelease = async (reviewId: number, position: object) => {
    const place = JSON.stringify(position);
    const first = used.get(reviewId) ?? place;
    used.set(reviewId, first);
    return first === place;
  };
  // The tools ask the services of their runtime, whichever run calls them.
  services.releases = {
    async use({ tool, arguments: args, tenantId, release, run: { executionId, nodeId, visit, item } }) {
      const call = { toolCallId: item ?? "", tool, arguments: args, review: release };
      if (!(await isReleased(executionId, call))) return false;
      return useRelease(release.id, { tenantId, executionId, nodeId, visit, item: item ?? "" });
    },
  };
  // cast: of the platform the nodes use this alone
  const platform = { reviews: { isReleased, useRelease } } as unknown as WorkflowPlatform;
  const nodes = [...agentNodes, ...createWorkflowsModule().nodes].map(
    (node) => [node.id, toScripted(node, { ...services, workflowPlatform: platform })] as const,
  );
  const harness = new EngineHarness(definition, Object.fromEntries(nodes));
  return harness;
}

function toScripted(node: NodeDefinition, services: ServiceMap): ScriptedNode {
  const { effect, input, retry, reads, isLocal, verbatim, paths } = node;
  const common = {
    effect,
    input,
    ...(retry === undefined ? {} : { retry }),
    ...(reads === undefined ? {} : { reads }),
    ...(isLocal === undefined ? {} : { isLocal }),
    ...(verbatim === undefined ? {} : { verbatim }),
    ...(paths === undefined ? {} : { paths }),
  };
  if (isComposite(node)) return { ...common, expand: (request) => node.expand(request) };
  const { resume, runItem } = node;
  // cast: the engine parsed the input with the node's own schema
  const toContext = (call: NodeCall) =>
    ({ ...call, services, config: async () => null }) as NodeContext<Record<string, unknown>>;
  return {
    ...common,
    run: (call): Promise<NodeResult> => node.run(toContext(call)),
    ...(resume === undefined ? {} : { resume: (call, signal) => resume(toContext(call), signal) }),
    ...(runItem === undefined ? {} : { runItem: (call, item) => runItem(toContext(call), item) }),
  };
}
