import type { SourceEdge, SourceGraph, SourceNode } from "../../importing/complete/source-graph.ts";
import type { Part } from "../../importing/graph/graph-parts.ts";
import { isTrigger, type N8nDocument, type N8nNode } from "./n8n-document.ts";
import { isReached, outputsOf } from "./n8n-outputs.ts";

/**
 * The nodes and connections of a document, for the check that none of them is lost.
 * @param parts what its nodes became
 */
export function sourceOf(document: N8nDocument, parts: ReadonlyMap<string, Part>): SourceGraph {
  const kindOf = (node: N8nNode): SourceNode["kind"] =>
    isTrigger(node) ? "start" : node.type === "stickyNote" || document.isHelper(node.name) ? "aside" : "step";
  const whole = [...document.nodes.values()].filter(({ part }) => part === undefined || part.isLast);
  const nodes = whole.map((node) => ({
    ...{ key: node.name, name: node.name, path: node.path },
    kind: kindOf(node),
  }));
  const edges = document.edges.map((edge) => {
    const [node, part] = [document.nodes.get(edge.from), parts.get(edge.from)];
    const leftOut = node === undefined || part === undefined ? undefined : whyNotTaken(edge, node, part);
    return leftOut === undefined ? edge : { ...edge, leftOut };
  });
  return { nodes, edges };
}

function whyNotTaken({ output, isAside }: SourceEdge, node: N8nNode, { invoke, loop }: Part): string | undefined {
  if (isAside === true || isTrigger(node)) return undefined;
  if (node.disabled)
    return output === "main 0" ? undefined : "The step is switched off: it hands on by its first output only.";
  const [, number] = /^main (\d+)$/.exec(output) ?? [];
  if (invoke?.src !== "core.placeholder" && Number(number) < outputsOf(node) && !isReached(node, Number(number)))
    return "No rule of the step leads to this output, so nothing comes out of it.";
  if (output !== `main ${outputsOf(node)}` || invoke?.src === "core.placeholder") return undefined;
  if (node.spec.onError !== "continueErrorOutput") return "The step is not set to use its output for errors.";
  if (invoke === undefined && loop === undefined)
    return "The step cannot fail here, so nothing comes out of its output for errors.";
  return undefined;
}
