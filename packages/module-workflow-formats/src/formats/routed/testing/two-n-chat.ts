import type { RoutedGraphSpec } from "@oven/contract/formats/routed.ts";

const ID = "2nChat";
const AGENTS = [
  ["1", "Router", "router"],
  ["2", "RC2", "rc2"],
  ["3", "DM2", "dm2"],
  ["4", "2N", "2n"],
] as const;
const node = (number: string, nodeName: string, agent: string | null) => ({
  ...{ id: `node-uuid-${number}`, workflowId: ID },
  ...{ nodeType: agent === null ? ("TOOL_EXECUTOR" as const) : ("AGENT" as const), nodeName },
  agentId: agent === null ? null : `agent-uuid-${agent}`,
});
const edge = (number: number, from: string, to: string | null, value: string | null) => ({
  ...{ id: `edge-uuid-${number}`, workflowId: ID, sourceNodeId: `node-uuid-${from}` },
  ...{ targetNodeId: to === null ? null : `node-uuid-${to}` },
  ...{ conditionType: value === null ? ("ALWAYS" as const) : ("CONDITIONAL" as const), conditionValue: value },
});

/** The document as it is printed: node 6 is missing, though edges 15, 16 and 17 use it. */
export const TWO_N_CHAT: RoutedGraphSpec = {
  id: ID,
  name: "2nChat",
  description: "The original agentic chat workflow with a supervisor/router and multiple workers.",
  isConversational: true,
  entrypointNodeId: "node-uuid-1",
  nodes: [...AGENTS.map(([number, name, agent]) => node(number, name, agent)), node("5", "tool_executor", null)],
  edges: [
    ...[edge(1, "1", "2", "RC2"), edge(2, "1", "3", "DM2"), edge(3, "1", "4", "2N")],
    ...[edge(4, "1", "5", "tool_executor"), edge(5, "1", null, "END")],
    ...["2", "3", "4"].flatMap((worker, index) => [
      edge(6 + index * 3, worker, "1", "Router"),
      edge(7 + index * 3, worker, "5", "tool_executor"),
      edge(8 + index * 3, worker, null, "END"),
    ]),
    ...[edge(15, "1", "6", "externalSearchCaller"), edge(16, "6", "5", "tool_executor")],
    ...[edge(17, "5", "6", "external_research"), edge(18, "5", "1", null)],
  ],
};
