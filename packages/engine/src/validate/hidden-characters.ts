import { deceptiveIn } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import type { PathPart, Problems } from "./problems.ts";

/** Warns of each text and each name of a definition that is not what it seems: fields of code, prompts and labels show no marks while they are edited. */
export function checkHiddenCharacters({ meta: _, ...parts }: Definition, problems: Problems): void {
  const visit = (path: readonly PathPart[], value: unknown): void => {
    if (typeof value === "string") warn(path, value, problems);
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) visit([...path, index], item);
    else if (typeof value === "object" && value !== null)
      for (const [key, child] of Object.entries(value)) {
        warn([...path, key], key, problems);
        visit([...path, key], child);
      }
  };
  visit([], parts);
}

function warn(path: readonly PathPart[], text: string, problems: Problems): void {
  const found = deceptiveIn(text);
  if (found.length === 0) return;
  problems.warn(
    path,
    "hidden-characters",
    `It has invisible characters or letters that pass for others: ${found.join(", ")}${placeOf(text)}`,
    "Type it anew unless they are meant.",
  );
}

/** Where to look in a text of several lines. */
function placeOf(text: string): string {
  const lines = text.split("\n");
  if (lines.length === 1) return "";
  const numbers = lines.flatMap((line, index) => (deceptiveIn(line).length > 0 ? [index + 1] : []));
  return numbers.length === 0 ? "" : `, in line ${numbers.slice(0, 5).join(", ")}`;
}
