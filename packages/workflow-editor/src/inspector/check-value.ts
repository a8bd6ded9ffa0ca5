import { getOwn, isObject, type Json, type JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { readTypedNumber } from "@oven/ui/components/typed-value.ts";
import { isExpression, isLiteral } from "./field-mode.ts";
import type { ScalarType, Shape } from "./shape.ts";

/**
 * What is wrong with a value, in words for the field; null: nothing that can be said before the run. Expressions are the server's to
 * check. Deeper fields say their own.
 */
export function checkValue(shape: Shape, value: Json | undefined, required = false): string | null {
  if (value === undefined) return required ? "Needed" : null;
  if (isExpression(value)) return null;
  if (isLiteral(value)) return checkValue(shape, value.$literal, required);
  switch (shape.kind) {
    case "text":
    case "code":
      return typeof value === "string" ? checkText(shape.limits, value) : t("Not a text");
    case "number":
      return checkNumber(shape.limits, shape.integer, value);
    case "boolean":
      return typeof value === "boolean" ? null : t("Neither yes nor no");
    case "choice":
      return shape.choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))
        ? null
        : t("Not one of {{choices}}", { choices: shape.choices.map(String).join(", ") });
    case "scalar": {
      const problems = shape.options.map((option) => checkScalar(option.type, option.limits, value));
      return problems.includes(null)
        ? null
        : (problems.find((problem) => problem !== OTHER_TYPE) ?? t("Not of a type it takes"));
    }
    case "list":
      return Array.isArray(value) ? checkCount(shape.limits, value.length) : t("Not a list");
    case "object":
    case "record":
    case "schema":
      return isObject(value) ? null : t("Not an object");
    case "variants":
      return bestVariant(shape, value) === null ? t("Fits none of the kinds it can be") : null;
    case "free":
      return shape.object && !isObject(value) ? t("Not an object") : null;
  }
}

const OTHER_TYPE = t("other type");

function checkScalar(type: ScalarType, limits: JsonObject, value: Json): string | null {
  switch (type) {
    case "string":
      return typeof value === "string" ? checkText(limits, value) : OTHER_TYPE;
    case "boolean":
      return typeof value === "boolean" ? null : OTHER_TYPE;
    case "null":
      return value === null ? null : OTHER_TYPE;
    default:
      return typeof value === "number" ? checkNumber(limits, type === "integer", value) : OTHER_TYPE;
  }
}

function checkText({ minLength, maxLength, pattern }: JsonObject, text: string): string | null {
  // What a placeholder renders is not known yet.
  if (text.includes("{{")) return null;
  if (typeof minLength === "number" && text.length < minLength)
    return minLength === 1 ? "Needed" : t("At least {{minLength}} characters", { minLength });
  if (typeof maxLength === "number" && text.length > maxLength)
    return t("At most {{maxLength}} characters", { maxLength });
  if (typeof pattern === "string" && toPattern(pattern)?.test(text) === false) return t("Not written as it must be");
  return null;
}

const patterns = new Map<string, RegExp | null>();

/** Null for a pattern that this browser cannot read: then the server says it. */
function toPattern(source: string): RegExp | null {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  let pattern: RegExp | null;
  try {
    pattern = new RegExp(source, "u");
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    pattern = null;
  }
  patterns.set(source, pattern);
  return pattern;
}

function checkNumber(limits: JsonObject, integer: boolean, value: Json): string | null {
  if (typeof value !== "number") {
    const typed = typeof value === "string" ? readTypedNumber(value) : undefined;
    return typed === undefined || typed.ok ? t("Not a number") : typed.message;
  }
  if (integer && !Number.isInteger(value)) return t("Not a whole number");
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits;
  if (typeof minimum === "number" && value < minimum) return t("At least {{minimum}}", { minimum });
  if (typeof maximum === "number" && value > maximum) return t("At most {{maximum}}", { maximum });
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    return t("More than {{exclusiveMinimum}}", { exclusiveMinimum });
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    return t("Less than {{exclusiveMaximum}}", { exclusiveMaximum });
  return null;
}

function checkCount({ minItems, maxItems }: JsonObject, count: number): string | null {
  if (typeof minItems === "number" && count < minItems) return t("At least {{minItems}}", { minItems });
  if (typeof maxItems === "number" && count > maxItems) return t("At most {{maxItems}}", { maxItems });
  return null;
}

/** How far a value is from a shape: problems in it, at any depth. */
function countProblems(shape: Shape, value: Json | undefined, required = false): number {
  const own = checkValue(shape, value, required) === null ? 0 : 1;
  if (own > 0 || value === undefined || isExpression(value) || isLiteral(value)) return own;
  if (shape.kind === "list" && Array.isArray(value))
    return value.reduce<number>((sum, item) => sum + countProblems(shape.item, item), 0);
  if (shape.kind === "record" && isObject(value))
    return Object.values(value).reduce<number>((sum, item) => sum + countProblems(shape.value, item), 0);
  if (shape.kind !== "object" || !isObject(value)) return 0;
  const known = new Set(shape.fields.map(({ name }) => name));
  const unknown = shape.open ? 0 : Object.keys(value).filter((key) => !known.has(key)).length;
  return shape.fields.reduce(
    (sum, field) => sum + countProblems(field.shape, getOwn(value, field.name), field.required),
    unknown,
  );
}

function bestVariant({ variants }: { variants: { shape: Shape }[] }, value: Json): number | null {
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  variants.forEach(({ shape }, index) => {
    if (checkValue(shape, value) !== null) return;
    // A sign such as `type` weighs more than a field that is still empty.
    const signs = signProblems(shape, value);
    const distance = signs * 1_000 + countProblems(shape, value);
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}

function signProblems(shape: Shape, value: Json): number {
  if (shape.kind !== "object" || !isObject(value)) return 0;
  return shape.fields.filter(
    ({ name, shape: own }) =>
      own.kind === "choice" && own.choices.length === 1 && checkValue(own, getOwn(value, name), true) !== null,
  ).length;
}

/** Which alternative a value is; null: none, or there is no value. */
export function variantOf(shape: Shape & { kind: "variants" }, value: Json | undefined): number | null {
  return value === undefined ? null : bestVariant(shape, value);
}

/** What an alternative begins with when it is chosen. */
export function emptyValue(shape: Shape): Json {
  switch (shape.kind) {
    case "boolean":
      return false;
    case "number":
      return startOf(shape.limits);
    case "choice":
      return shape.choices[0] ?? null;
    case "list":
      return [];
    case "object":
      return Object.fromEntries(
        shape.fields.flatMap(({ name, shape: own, required }) =>
          required && (own.kind === "choice" || own.kind === "object" || own.kind === "list")
            ? [[name, emptyValue(own)]]
            : [],
        ),
      );
    case "record":
    case "schema":
      return {};
    case "variants":
      return shape.variants[0] === undefined ? null : emptyValue(shape.variants[0].shape);
    case "free":
      return shape.object ? {} : "";
    default:
      return "";
  }
}

function startOf({ minimum, exclusiveMinimum }: JsonObject): number {
  if (typeof minimum === "number" && minimum > 0) return minimum;
  return typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : 0;
}
