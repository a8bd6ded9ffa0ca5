import type { Json } from "@oven/contract";
import type { Address } from "@oven/workflow-editor/document";
import type { Field } from "@oven/workflow-editor/inspector";

/** What the control of a field gets. */
export interface ValueControlProps {
  id: string;
  describedBy: string;
  field: Field;
  at: Address;
  value: Json | undefined;
  invalid: boolean;
}

/** What counts while nothing is given. */
export function toPlaceholder(initial: Json | undefined): string | undefined {
  if (initial === undefined || initial === "") return undefined;
  return typeof initial === "string" ? initial : JSON.stringify(initial);
}
