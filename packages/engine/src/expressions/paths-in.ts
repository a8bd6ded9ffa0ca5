import { isPathText } from "@oven/contract/workflow";
import { ExpressionSyntaxError } from "./expression-error.ts";
import { placeholdersIn } from "./template.ts";

/** The paths that a text of a definition reads, as written; none when it cannot be read, which its compilation reports. */
export function pathsIn(text: string): string[] {
  if (isPathText(text)) return [text];
  try {
    return placeholdersIn(text);
  } catch (cause) {
    if (cause instanceof ExpressionSyntaxError) return [];
    throw cause;
  }
}
