import type { JsonObject } from "@oven/contract";

const HINT =
  /^x-(?:[\w-]*-)?(?:is-?consequential|read-?only(?:-hint)?|destructive(?:-hint)?|idempotent(?:-hint)?|mcp[\w-]*|agent[\w-]*)$/i;

/** What a document says of the effect of an operation in words of its own. It is shown; what OVEN assumes stays the method's. */
export function readHints(operation: JsonObject): string[] {
  return Object.entries(operation).flatMap(([name, value]) =>
    HINT.test(name) ? [`The document says: ${name}: ${JSON.stringify(value).slice(0, 200)}`] : [],
  );
}
