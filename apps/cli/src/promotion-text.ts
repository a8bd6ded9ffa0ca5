import type { PromotedItem, PromotionPlan } from "@oven/contract/workflow";
import { toVisible } from "./visible-text.ts";

/** What a plan shows, a line for each item and each name that is missing. */
export function planText({ items, references }: Pick<PromotionPlan, "items" | "references">): string {
  const lines = items.map(({ change, kind, name, of, definition, fields }) => {
    const differs = [...(definition === null ? [] : statesOf(definition)), ...fields.map(({ path }) => path)];
    const owner = of === null ? "" : ` of ${of}`;
    return `${change.padEnd(6)}  ${kind} ${name}${owner}${differs.length === 0 ? "" : `: ${differs.join(", ")}`}`;
  });
  for (const { state, kind, name, usedBy, fix } of references)
    if (state === "missing")
      lines.push(`MISSING ${kind} ${name}, used by ${usedBy.join(", ")}. ${fix ?? ""}`.trimEnd());
  return `${lines.map(toVisible).join("\n")}\n`;
}

function statesOf({ added, removed, changed, moved, settings }: NonNullable<PromotedItem["definition"]>): string[] {
  const others = new Set([...changed, ...moved].map(({ stateId }) => `state ${stateId}`));
  const made = added.map((id) => `new state ${id}`);
  const gone = removed.map((id) => `without state ${id}`);
  return [...made, ...gone, ...others, ...settings.map(({ path }) => path)];
}
