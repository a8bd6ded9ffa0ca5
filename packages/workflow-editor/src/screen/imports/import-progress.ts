import { isObject, type JsonObject } from "@oven/contract";
import type { ImportedElement, ImportReport } from "@oven/contract/workflow";
import { findState, getAt } from "@oven/scope";

const PLACEHOLDER = "core.placeholder";

/** A placeholder of an import, and what became of it since. */
export interface OpenStep extends ImportedElement {
  /** `open`: it is still there. `filled`: another step is in its place. `gone`: the state was deleted. */
  now: "open" | "filled" | "gone";
}

/** The placeholders that an import has made, those that are still open first. */
export function toOpenSteps({ elements }: ImportReport, definition: JsonObject): OpenStep[] {
  const steps = elements.flatMap((element): OpenStep[] => {
    if (element.outcome !== "placeholder" || element.state === null) return [];
    const state = findState(definition, element.state)?.state;
    const src = state === undefined ? undefined : getAt(state, ["invoke", "src"]);
    const now = state === undefined ? "gone" : src === PLACEHOLDER ? "open" : "filled";
    return [{ ...element, now }];
  });
  return [...steps.filter(({ now }) => now === "open"), ...steps.filter(({ now }) => now !== "open")];
}

/** Whether a definition says that it was made by an import. */
export function isImported(definition: JsonObject): boolean {
  return isObject(getAt(definition, ["meta", "imported"]));
}
