import type { Json, JsonObject } from "@oven/contract";
import type { Guard } from "@oven/contract/workflow";
import { isNumber, readString, type Types, typeOf } from "./json-types.ts";
import { operandsOf } from "./json-values.ts";
import { bare, betweenCommas, callOf, type Part, parseExpression } from "./python-tree.ts";

/** Where the variables of a program are in the context of its graph. */
export const VARIABLES = "vars";
export const pathOf = (name: string): string => `$.${VARIABLES}.${name}`;

export interface Translation {
  types: Types;
  isVariable(name: string): boolean;
}

/** An expression as a value of a definition, or undefined where none gives exactly the same. */
export function toValue(text: string, translation: Translation): Json | undefined {
  return jsonOf(parseExpression(text), translation);
}

function jsonOf(expression: Part, translation: Translation): Json | undefined {
  const part = bare(expression);
  switch (part.type) {
    case "Number":
      return toNumber(part.text);
    case "UnaryExpression": {
      const number =
        part.parts[0]?.text === "-" && part.parts[1]?.type === "Number" ? toNumber(part.parts[1].text) : undefined;
      return number === undefined || number === 0 ? undefined : -number;
    }
    case "String": {
      const text = readString(part.text);
      return text !== undefined && /^\$|\{\{/.test(text) ? { $literal: text } : text;
    }
    case "Boolean":
      return part.text === "True";
    case "None":
      return null;
    case "VariableName":
    case "MemberExpression":
      return toPath(part, translation);
    case "ArrayExpression":
      return listOf(betweenCommas(part.parts).map((group) => only(group, translation)));
    case "DictionaryExpression":
      return objectOf(part, translation);
    default:
      return undefined;
  }
}

/** A number that JSON and Python have alike: `1.0` is another one than `1` in Python. */
function toNumber(text: string): number | undefined {
  const value = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) === /^\d+$/.test(text) && (text.includes(".") || Number.isSafeInteger(value))
    ? value
    : undefined;
}

function only(group: readonly Part[], translation: Translation): Json | undefined {
  const [part] = group;
  return group.length === 1 && part !== undefined ? jsonOf(part, translation) : undefined;
}

function listOf(values: readonly (Json | undefined)[]): Json[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

function objectOf(part: Part, translation: Translation): JsonObject | undefined {
  const entries: [string, Json][] = [];
  for (const [key, , value, ...more] of betweenCommas(part.parts)) {
    const name = key?.type === "String" ? readString(key.text) : undefined;
    const known = value === undefined || more.length > 0 ? undefined : jsonOf(value, translation);
    // What begins with $ means something else in a definition.
    if (name === undefined || name.startsWith("$") || known === undefined) return undefined;
    entries.push([name, known]);
  }
  return Object.fromEntries(entries);
}

/** A variable, or what keys and places lead to from it. What is not there fails in both. */
function toPath(part: Part, translation: Translation): string | undefined {
  const inner = bare(part);
  if (inner.type === "VariableName") return translation.isVariable(inner.text) ? pathOf(inner.text) : undefined;
  const [object, open, key] = inner.parts;
  if (inner.type !== "MemberExpression" || object === undefined || open?.type !== "[" || inner.parts.length !== 4)
    return undefined;
  const before = toPath(object, translation);
  if (before === undefined || key === undefined) return undefined;
  const name = key.type === "String" ? readString(key.text) : undefined;
  if (name !== undefined) {
    if (/^[A-Za-z]\w*$/.test(name)) return `${before}.${name}`;
    return /["\\\n]/.test(name) || name.startsWith("__") ? undefined : `${before}[${JSON.stringify(name)}]`;
  }
  // A place in a text is a character in Python, and nothing here.
  const isList = typeOf(object, translation.types)?.type === "array";
  return isList && /^-?\d+$/.test(key.text) ? `${before}[${key.text}]` : undefined;
}

/** A condition as CEL, or undefined where none decides exactly the same: types of all that it reads must be known. */
export function toGuard(text: string, translation: Translation): Guard | undefined {
  const expression = celOf(parseExpression(text), translation);
  return expression === undefined ? undefined : { type: "cel", params: { expression } };
}

/** CEL that is true where Python takes a value for true. */
function celOf(expression: Part, translation: Translation): string | undefined {
  const part = bare(expression);
  if (part.type === "UnaryExpression" && part.parts[0]?.type === "not") {
    const inner = part.parts[1] === undefined ? undefined : celOf(part.parts[1], translation);
    return inner === undefined ? undefined : `!(${inner})`;
  }
  if (part.type === "BinaryExpression") return binaryOf(part, translation);
  const operand = toOperand(part, translation);
  switch (typeOf(part, translation.types)?.type) {
    case "boolean":
      return operand;
    case "string":
      return operand === undefined ? undefined : `${operand} != ""`;
    case "integer":
    case "number":
      return operand === undefined ? undefined : `${operand} != 0`;
    case "array":
      return operand === undefined ? undefined : `size(${operand}) > 0`;
    default:
      return undefined;
  }
}

const ORDER: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

function binaryOf(part: Part, translation: Translation): string | undefined {
  const [left, operator] = part.parts;
  const [one, other, ...more] = operandsOf(part);
  if (left === undefined || operator === undefined || one === undefined || other === undefined || more.length > 0)
    return undefined;
  if (operator.type === "and" || operator.type === "or") {
    const sides = [one, other].map((side) => celOf(side, translation));
    if (sides.includes(undefined)) return undefined;
    return sides.map((side) => `(${side})`).join(operator.type === "and" ? " && " : " || ");
  }
  if (operator.type === "is") return isNone(part, one, other, translation);
  if (operator.type !== "CompareOp" || bare(one).type === "BinaryExpression") return undefined;
  return comparisonOf(one, operator.text, other, translation);
}

function comparisonOf(one: Part, operator: string, other: Part, translation: Translation): string | undefined {
  const [a, b] = [typeOf(one, translation.types), typeOf(other, translation.types)];
  const areNumbers = isNumber(a) && isNumber(b);
  const areAlike = a !== undefined && a.type === b?.type && ["string", "boolean"].includes(String(a.type));
  const fits = areNumbers || (areAlike && ["==", "!="].includes(operator));
  if (!fits || !(ORDER.has(operator) || ["==", "!="].includes(operator))) return undefined;
  const [left, right] = [toOperand(one, translation), toOperand(other, translation)];
  return left === undefined || right === undefined ? undefined : `${left} ${operator} ${right}`;
}

function isNone(part: Part, one: Part, other: Part, translation: Translation): string | undefined {
  const operand = toOperand(one, translation);
  if (bare(other).type !== "None" || operand === undefined || typeOf(one, translation.types) === undefined)
    return undefined;
  return `${operand} ${part.parts[2]?.type === "not" ? "!=" : "=="} null`;
}

/** A value that surely is there, in CEL. */
function toOperand(expression: Part, translation: Translation): string | undefined {
  const part = bare(expression);
  const call = callOf(part);
  const [first] = call?.arguments ?? [];
  if (call?.callee.text === "len" && first !== undefined) {
    const inner =
      typeOf(first.value, translation.types)?.type === "array" ? toOperand(first.value, translation) : undefined;
    return inner === undefined ? undefined : `size(${inner})`;
  }
  const value = jsonOf(part, translation);
  if (value === undefined || typeOf(part, translation.types) === undefined) return undefined;
  if (part.type === "VariableName" || part.type === "MemberExpression")
    return typeof value === "string" ? `ctx${value.slice(1)}` : undefined;
  return typeof value === "object" && value !== null ? undefined : JSON.stringify(value);
}
