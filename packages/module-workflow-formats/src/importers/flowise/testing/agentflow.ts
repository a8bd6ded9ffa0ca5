import type { JsonObject } from "@oven/contract";

/** A node of an agentflow, as its editor exports it. */
export function flowNode(
  id: string,
  name: string,
  inputs: JsonObject,
  more: { label?: string; parentNode?: string } = {},
): JsonObject {
  const { label = id, parentNode } = more;
  return { id, ...(parentNode === undefined ? {} : { parentNode }), data: { name, label, inputs } };
}

/** An edge from an output of a node, by its number; without one, from its only output. */
export function flowEdge(source: string, target: string, output: number | string = "out"): JsonObject {
  return { source, target, sourceHandle: `${source}-output-${output}` };
}

/** Text as the editor of Flowise writes it: names in double braces become mentions. */
export function written(text: string): string {
  const mentions = text.replaceAll(/\{\{([^{}]+)\}\}/g, (_, name: string) => {
    const id = name.trim();
    return `<span class="variable" data-type="mention" data-id="${id}" data-label="${id}">{{ ${id} }}</span>`;
  });
  return `<p>${mentions} </p>`;
}
