import type { N8nNode } from "./n8n-document.ts";

/** Whether the answer of a chain that looks things up stands in `response.text`, as it did before version 1.5; else in `response`. */
export function hasNestedAnswer({ version }: N8nNode): boolean {
  return version < 1.5;
}
