/**
 * Whether patterns name a tool: `orders.get`, `orders.*`, `*`. One that begins with `!` takes away what the others name, in
 * whatever order they stand.
 */
export function namesTool(patterns: readonly string[], id: string): boolean {
  const excepted = patterns.some((pattern) => pattern.startsWith("!") && matches(pattern.slice(1), id));
  return !excepted && patterns.some((pattern) => !pattern.startsWith("!") && matches(pattern, id));
}

function matches(pattern: string, id: string): boolean {
  if (pattern === "*") return true;
  return pattern.endsWith(".*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}

/** A pattern without its `!`. */
export function bare(pattern: string): string {
  return pattern.startsWith("!") ? pattern.slice(1) : pattern;
}
