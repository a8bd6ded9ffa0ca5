import type { N8nNode } from "./n8n-document.ts";

/** The field that Markdown is put into; the others stay. */
export function fieldOfMarkdown({ parameters }: N8nNode): string {
  return String(parameters.destinationKey ?? "data");
}
