/** Whether a file is a workflow of n8n, Dify or LangGraph rather than a definition: what is no JSON, and JSON with their parts. */
export function isOfOtherProduct(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    // A definition with a slip in it stays in its form, which shows where.
    return !/^\s*\{/.test(text) || /"(?:connections|edges)"\s*:/.test(text);
  }
  if (typeof value !== "object" || value === null || "states" in value || "definition" in value) return false;
  return ("nodes" in value && ("connections" in value || "edges" in value)) || "kind" in value;
}
