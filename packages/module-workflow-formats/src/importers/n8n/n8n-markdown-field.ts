import type { N8nNode } from "./n8n-document.ts";

/** The field that a Markdown node fills; the others stay. */
export function fieldOfMarkdown({ parameters }: N8nNode): string {
  return String(parameters.destinationKey ?? "data");
}

/** Whether it makes HTML of Markdown, not the other way round. */
export function makesHtml({ parameters }: N8nNode): boolean {
  return parameters.mode === "markdownToHtml";
}

/** Where what it makes stands in the output of its step. */
export const outputOfMarkdown = (node: N8nNode): string => (makesHtml(node) ? "html" : "markdown");
