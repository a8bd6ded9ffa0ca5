import type { SourceGraph, SourceNode } from "../../importing/complete/source-graph.ts";
import { isTrigger, type N8nDocument, type N8nNode } from "./n8n-document.ts";

/** The nodes and connections of a document, for the check that none of them is lost. */
export function sourceOf(document: N8nDocument): SourceGraph {
  const kindOf = (node: N8nNode): SourceNode["kind"] =>
    isTrigger(node) ? "start" : node.type === "stickyNote" || document.isHelper(node.name) ? "aside" : "step";
  const whole = [...document.nodes.values()].filter(({ part }) => part === undefined || part.isLast);
  const nodes = whole.map((node) => ({
    ...{ key: node.name, name: node.name, path: node.path },
    kind: kindOf(node),
  }));
  return { nodes, edges: document.edges };
}
