import type { Json } from "@oven/contract";
import { ExpressionSyntaxError, getChild, parsePath } from "@oven/engine";

const toPath = (path: string): string =>
  path.startsWith("$") ? path : path.startsWith("[") ? `$${path}` : `$.${path}`;

/** What stands at `prices[0].url`, with or without `$.` before it; null: the value itself. Undefined: nothing does. */
export function atPath(value: Json, path: string | null): Json | undefined {
  if (path === null) return value;
  let reached: Json | undefined = value;
  for (const segment of parsePath(toPath(path)).segments) reached = getChild(reached, segment);
  return reached;
}

/** Undefined: it can be read. */
export function pathProblem(path: string): string | undefined {
  try {
    parsePath(toPath(path));
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    return error.message;
  }
}
