import { isOvenError, readJson } from "@oven/contract";

/**
 * Whether the text of a file is a definition of OVEN, which its form shows. Any other text is a document of another product:
 * the server's importers recognise it, or its error names what they read.
 */
export function isDefinition(text: string): boolean {
  let value: unknown;
  try {
    value = readJson(text).value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError || isOvenError(cause))) throw cause;
    // The form shows where the syntax error of a definition is.
    return /^\s*\{/.test(text) && /"(?:states|definition)"\s*:/.test(text);
  }
  return typeof value === "object" && value !== null && ("states" in value || "definition" in value);
}
