import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";

/** What the value of a workflow's variable can be, told by the value it begins with. */
export type VariableType = "text" | "number" | "boolean" | "list" | "object" | "nothing";

/** The types that a variable of a workflow can begin with, in the order of the menu. */
export const VARIABLE_TYPES: readonly { value: VariableType; label: string }[] = [
  { value: "text", label: t("Text") },
  { value: "number", label: t("Number") },
  { value: "boolean", label: t("Yes or no") },
  { value: "list", label: t("List") },
  { value: "object", label: t("Object") },
  { value: "nothing", label: t("Nothing yet") },
];

/** The type of a variable by its first value. */
export function variableTypeOf(value: Json | undefined): VariableType {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "list";
  switch (typeof value) {
    case "string":
      return "text";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    default:
      return "object";
  }
}

/** A value as one of another type: what it says is kept where the type can say it, else it begins empty. */
export function toVariableType(value: Json | undefined, type: VariableType): Json {
  if (variableTypeOf(value) === type) return value ?? null;
  switch (type) {
    case "text":
      return value === undefined || value === null ? "" : toText(value);
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
      return Number.isFinite(number) ? number : 0;
    }
    case "boolean":
      return value === "true" || (typeof value === "number" && value !== 0);
    case "list":
      return isEmpty(value) ? [] : [value ?? null];
    case "object":
      return {};
    case "nothing":
      return null;
  }
}

function toText(value: Json): string {
  if (isEmpty(value)) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
