import type { RoutedEdge, RoutedGraphSpec, RoutedNode } from "@oven/contract/formats/routed.ts";
import { suggest } from "@oven/engine";
import type { SourceProblem } from "../../shared/source-problem.ts";

export const END_VALUE = "END";

/** An agent as a graph needs to know it. */
export interface KnownAgent {
  name: string;
  /** Whether it is bound to tools that run here. */
  hasTools: boolean;
}

/** By what the document calls them; those that are not there are absent. */
export type KnownAgents = ReadonlyMap<string, KnownAgent>;

/** Everything that keeps a graph from running, each with its place. */
export function checkRouted(
  spec: RoutedGraphSpec,
  agents: KnownAgents,
  agentNames: readonly string[],
): SourceProblem[] {
  const nodes = new Map(spec.nodes.map((node) => [node.id, node]));
  return [
    ...checkEntry(spec, nodes),
    ...repeated(spec.nodes, "nodes", "id", ({ id }) => id),
    ...repeated(spec.nodes, "nodes", "nodeName", ({ nodeName }) => nodeName),
    ...repeated(spec.edges, "edges", "id", ({ id }) => id),
    ...spec.nodes.flatMap((node, index) => checkNode(node, `$.nodes[${index}]`, spec, agents, agentNames)),
    ...spec.edges.flatMap((edge, index) => checkEdge(edge, `$.edges[${index}]`, spec, nodes)),
    ...checkRoutes(spec),
    ...checkTools(spec, nodes, agents),
    ...checkReach(spec, nodes),
  ];
}

function checkEntry({ entrypointNodeId, nodes }: RoutedGraphSpec, byId: Map<string, RoutedNode>): SourceProblem[] {
  const path = "$.entrypointNodeId";
  const found = byId.get(entrypointNodeId);
  if (found === undefined) {
    const message = `There is no node ${JSON.stringify(entrypointNodeId)}`;
    return [
      {
        path,
        message,
        fix: suggest(
          entrypointNodeId,
          nodes.map(({ id }) => id),
          "Name the id of a node.",
        ),
      },
    ];
  }
  if (found.nodeType === "AGENT") return [];
  return [
    { path, message: `${found.nodeName} runs tools, which nobody has asked for yet`, fix: "Begin with an agent." },
  ];
}

function repeated<T>(list: readonly T[], at: string, field: string, of: (entry: T) => string): SourceProblem[] {
  const seen = new Map<string, number>();
  return list.flatMap((entry, index) => {
    const value = of(entry);
    const first = seen.get(value);
    if (first === undefined) seen.set(value, index);
    if (first === undefined) return [];
    const message = `${JSON.stringify(value)} is the ${field} of $.${at}[${first}] already`;
    return [{ path: `$.${at}[${index}].${field}`, message, fix: "Give each its own." }];
  });
}

function checkNode(
  node: RoutedNode,
  path: string,
  { id }: RoutedGraphSpec,
  agents: KnownAgents,
  agentNames: readonly string[],
): SourceProblem[] {
  const problems = checkOwner(node.workflowId, id, path);
  const { agentId, nodeType, nodeName } = node;
  if (nodeType === "TOOL_EXECUTOR") {
    if (agentId !== null)
      problems.push({
        ...{ path: `${path}.agentId`, message: `${nodeName} runs tools and has no agent` },
        fix: "Write null, or make it a node of type AGENT.",
      });
  } else if (agentId === null) {
    problems.push({ path: `${path}.agentId`, message: `${nodeName} names no agent`, fix: "Name the id of its agent." });
  } else if (!agents.has(agentId)) {
    const message = `The agent ${JSON.stringify(agentId)} of ${nodeName} does not exist`;
    problems.push({ path: `${path}.agentId`, message, fix: suggest(agentId, [...agentNames], "Make it first.") });
  }
  return problems;
}

function checkOwner(workflowId: string, id: string, path: string): SourceProblem[] {
  if (workflowId === id) return [];
  const message = `This belongs to the workflow ${JSON.stringify(workflowId)}, not to ${JSON.stringify(id)}`;
  return [{ path: `${path}.workflowId`, message, fix: `Write ${JSON.stringify(id)}.` }];
}

function checkEdge(
  edge: RoutedEdge,
  path: string,
  { id, nodes }: RoutedGraphSpec,
  byId: Map<string, RoutedNode>,
): SourceProblem[] {
  const problems = checkOwner(edge.workflowId, id, path);
  const { sourceNodeId, targetNodeId, conditionType, conditionValue } = edge;
  for (const field of ["sourceNodeId", "targetNodeId"] as const) {
    const named = edge[field];
    if (named === null || byId.has(named)) continue;
    const message = `The edge ${edge.id} names the node ${JSON.stringify(named)}, which does not exist`;
    const known = nodes.map((node) => node.id);
    problems.push({
      path: `${path}.${field}`,
      message,
      fix: suggest(named, known, "Add the node, or name another one."),
    });
  }
  if (conditionType === "CONDITIONAL" && conditionValue === null) {
    const message = `The edge ${edge.id} is CONDITIONAL without a value`;
    problems.push({ path: `${path}.conditionValue`, message, fix: "Write the value, or make it ALWAYS." });
  }
  if (conditionType === "ALWAYS" && conditionValue !== null) {
    const message = `The edge ${edge.id} is ALWAYS, so it has no value`;
    problems.push({ path: `${path}.conditionValue`, message, fix: "Write null, or make it CONDITIONAL." });
  }
  if (targetNodeId === null && conditionValue !== END_VALUE) {
    const message = `The edge ${edge.id} leads nowhere; only the value ${END_VALUE} ends a run`;
    problems.push({ path: `${path}.targetNodeId`, message, fix: `Name a node, or write ${END_VALUE} as its value.` });
  }
  if (targetNodeId !== null && conditionValue === END_VALUE) {
    const message = `The edge ${edge.id} has the value ${END_VALUE} and leads to a node`;
    problems.push({ path: `${path}.targetNodeId`, message, fix: "Write null." });
  }
  if (targetNodeId === null && byId.get(sourceNodeId)?.nodeType === "TOOL_EXECUTOR") {
    const message = `The edge ${edge.id} ends the run after a tool, which only an agent can`;
    problems.push({ path: `${path}.targetNodeId`, message, fix: "Lead it to an agent." });
  }
  return problems;
}

/** One way for each answer. */
function checkRoutes({ edges }: RoutedGraphSpec): SourceProblem[] {
  const seen = new Map<string, RoutedEdge>();
  return edges.flatMap((edge, index) => {
    const { sourceNodeId, conditionType, conditionValue } = edge;
    const key = JSON.stringify([sourceNodeId, conditionType, conditionValue]);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, edge);
      return [];
    }
    const same =
      conditionType === "ALWAYS" ? "are both ALWAYS" : `have both the value ${JSON.stringify(conditionValue)}`;
    const message = `The edges ${first.id} and ${edge.id} leave the same node and ${same}`;
    return [{ path: `$.edges[${index}]`, message, fix: "Leave one out, or give it another value." }];
  });
}

/** Whoever has tools needs a way to what runs them. */
function checkTools(
  { nodes, edges }: RoutedGraphSpec,
  byId: Map<string, RoutedNode>,
  agents: KnownAgents,
): SourceProblem[] {
  const users = nodes.filter(({ agentId }) => agentId !== null && agents.get(agentId)?.hasTools === true);
  if (users.length === 0) return [];
  if (!nodes.some(({ nodeType }) => nodeType === "TOOL_EXECUTOR")) {
    const names = users.map(({ nodeName }) => nodeName).join(", ");
    const message = `${names} ${users.length === 1 ? "has" : "have"} tools, and no node runs them`;
    return [{ path: "$.nodes", message, fix: "Add a node of type TOOL_EXECUTOR and edges to it." }];
  }
  return users.flatMap((node) => {
    const reaches = edges.some(
      ({ sourceNodeId, targetNodeId }) =>
        sourceNodeId === node.id && targetNodeId !== null && byId.get(targetNodeId)?.nodeType === "TOOL_EXECUTOR",
    );
    if (reaches) return [];
    const message = `${node.nodeName} has tools, and no edge to a tool executor`;
    return [{ path: `$.nodes[${nodes.indexOf(node)}]`, message, fix: "Add the edge." }];
  });
}

/** Nobody would ever see a node that no way leads to. */
function checkReach(
  { entrypointNodeId, nodes, edges }: RoutedGraphSpec,
  byId: Map<string, RoutedNode>,
): SourceProblem[] {
  const reached = new Set<string>();
  const open = byId.has(entrypointNodeId) ? [entrypointNodeId] : [];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    for (const { sourceNodeId, targetNodeId } of edges)
      if (sourceNodeId === id && targetNodeId !== null) open.push(targetNodeId);
  }
  if (reached.size === 0) return [];
  return nodes.flatMap(({ id, nodeName }, index) => {
    if (reached.has(id)) return [];
    const message = `No way leads from the entry point to ${nodeName}`;
    return [{ path: `$.nodes[${index}]`, message, fix: "Add an edge to it, or leave it out." }];
  });
}
