import type { Json } from "@oven/contract";
import { isObject } from "@oven/contract";
import { isPathText, splitTemplate } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { isGuardShape } from "./guard-kinds.ts";
import { readFree } from "./scalar-text.ts";
import type { Shape } from "./shape.ts";

/**
 * How a value is given: typed into the form of its shape (`fixed`), a path or template (`text`), CEL, a value that is never read as
 * an expression (`literal`), or JSON that the form has no control for.
 */
export type FieldMode = "fixed" | "text" | "cel" | "literal" | "json";

/** What the inspector calls each way to write a field. */
export const MODE_TITLES: Record<FieldMode, string> = {
  fixed: "Fixed",
  text: t("Expression"),
  cel: "CEL",
  literal: t("As it stands"),
  json: "JSON",
};

function soleKey(value: Json | undefined, key: string): boolean {
  return isObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, key);
}

/** Whether the value is a CEL expression, `{ $cel: "…" }`. */
export function isCel(value: Json | undefined): value is { $cel: string } {
  return soleKey(value, "$cel") && isObject(value) && typeof value.$cel === "string";
}

/** Whether the value is taken as it stands, `{ $literal: … }`. */
export function isLiteral(value: Json | undefined): value is { $literal: Json } {
  return soleKey(value, "$literal");
}

/** Whether a text is read when the state is entered: it is a path, or holds a placeholder. */
function isExpressionText(value: Json | undefined): value is string {
  return (
    typeof value === "string" && (isPathText(value) || splitTemplate(value).parts.some((part) => "placeholder" in part))
  );
}

/** Whether nothing but the run decides what the value will be. */
export function isExpression(value: Json | undefined): boolean {
  return isExpressionText(value) || isCel(value);
}

/** The ways in which a value of a shape can be given, the usual one first; `picked`: from a list, which is how it is fixed. */
export function modesOf(shape: Shape, picked = false): FieldMode[] {
  if (shape.kind === "text" && picked) return ["fixed", "text", "cel", "literal"];
  if (shape.kind === "text") return ["text", "cel", "literal"];
  if (shape.kind === "code") return ["fixed"];
  if (shape.kind === "free") return ["text", "json", "cel", "literal"];
  if (isGuardShape(shape)) return ["fixed", "json"];
  return ["fixed", "text", "cel", "json"];
}

/** Whether typing the value as it is shown gives it again: `"100"` would come back as a number. */
function isTyped(value: Json): boolean {
  return typeof value === "string"
    ? readFree(value) === value
    : typeof value === "number" || typeof value === "boolean";
}

/** How a value is given. */
export function modeOf(shape: Shape, value: Json | undefined, picked = false): FieldMode {
  if (isCel(value)) return "cel";
  if (shape.kind === "text" && picked && !isExpressionText(value) && (value === undefined || typeof value === "string"))
    return "fixed";
  if (isLiteral(value)) return modesOf(shape).includes("literal") ? "literal" : "json";
  if (shape.kind === "text") return value === undefined || typeof value === "string" ? "text" : "json";
  if (shape.kind === "code") return value === undefined || typeof value === "string" ? "fixed" : "json";
  if (shape.kind === "free") return value === undefined || isTyped(value) ? "text" : "json";
  if (isExpressionText(value)) return "text";
  return fits(shape, value) ? "fixed" : "json";
}

/** Whether the controls of a shape can show a value, be it allowed or not. */
function fits(shape: Shape, value: Json | undefined): boolean {
  if (value === undefined) return true;
  switch (shape.kind) {
    case "text":
    case "code":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return shape.choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value));
    case "scalar":
      return value === null || typeof value !== "object";
    case "list":
      return Array.isArray(value);
    case "object":
      return (
        isObject(value) &&
        (shape.open || Object.keys(value).every((key) => shape.fields.some(({ name }) => name === key)))
      );
    case "record":
    case "schema":
      return isObject(value);
    case "variants":
      return shape.variants.some((variant) => fits(variant.shape, value));
    case "free":
      return true;
  }
}
