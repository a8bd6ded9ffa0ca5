import type { N8nNode } from "./n8n-document.ts";

/** Whether it takes values out of HTML. The older node for it does nothing else. */
export function extractsHtml({ type, parameters }: N8nNode): boolean {
  return type === "htmlExtract" || (type === "html" && parameters.operation === "extractHtmlContent");
}
