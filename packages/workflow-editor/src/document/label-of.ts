import type { JsonObject } from "@oven/contract";
import { findState, indexStates } from "@oven/scope";

/** What a state is called on its card: its label, or its id. */
export function labelOf(document: JsonObject, id: string): string {
  const label = findState(document, id)?.state.label;
  return typeof label === "string" && label.trim() !== "" ? label : id;
}

/** Labels of states to choose from, each with its id where another state is called the same. */
export function labelsOf(document: JsonObject, ids: readonly string[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const { id } of indexStates(document).list) {
    const label = labelOf(document, id);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return new Map(
    ids.map((id) => {
      const label = labelOf(document, id);
      return [id, (counts.get(label) ?? 0) > 1 && label !== id ? `${label} (${id})` : label];
    }),
  );
}
