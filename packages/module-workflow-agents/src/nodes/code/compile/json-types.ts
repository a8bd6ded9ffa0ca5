import { isObject, type Json, type JsonObject } from "@oven/contract";
import { assignmentOf, bare, callOf, type Part } from "./python-tree.ts";

/** What is known of a value that surely is there: a JSON Schema. Undefined: nothing. */
export type Known = JsonObject | undefined;

const SCALARS: ReadonlySet<Json | undefined> = new Set(["string", "integer", "number", "boolean", "null"]);

/** Types of variables and of what tools answer. */
export interface Types {
  /** Of a variable; undefined: nothing is known for sure. */
  of(name: string): Known;
  /** Of what a call of a tool answers. */
  answer(functionName: string): Known;
}

export function isScalar(known: Known): boolean {
  return known !== undefined && SCALARS.has(known.type);
}

export function isNumber(known: Known): boolean {
  return known?.type === "integer" || known?.type === "number";
}

/** What is known of the value of an expression. */
export function typeOf(expression: Part, types: Types): Known {
  const part = bare(expression);
  switch (part.type) {
    case "Number":
      return /^[\d_]+$/.test(part.text)
        ? { type: "integer" }
        : /[jJ]$/.test(part.text)
          ? undefined
          : { type: "number" };
    case "String":
      return /^["']/.test(part.text) ? { type: "string" } : undefined;
    case "FormatString":
      return { type: "string" };
    case "Boolean":
      return { type: "boolean" };
    case "None":
      return { type: "null" };
    case "VariableName":
      return types.of(part.text);
    case "ArrayExpression":
    case "ArrayComprehensionExpression":
      return { type: "array" };
    case "MemberExpression":
      return memberType(part, types);
    case "AwaitExpression": {
      const call = callOf(bare(part.parts[1] ?? part));
      return call?.callee.type === "VariableName" ? types.answer(call.callee.text) : undefined;
    }
    case "UnaryExpression":
      return part.parts[0]?.type === "not" ? { type: "boolean" } : numeric(part.parts.slice(1), types);
    case "BinaryExpression":
      return binaryType(part, types);
    case "CallExpression":
      return callType(part);
    default:
      return undefined;
  }
}

function memberType(part: Part, types: Types): Known {
  const [object, open, key] = part.parts;
  if (object === undefined || key === undefined || open?.type !== "[" || part.parts.length !== 4) return undefined;
  const around = typeOf(object, types);
  const name = key.type === "String" ? readString(key.text) : undefined;
  const { properties, required } = around ?? {};
  if (name === undefined || !isObject(properties) || !Array.isArray(required) || !required.includes(name))
    return undefined;
  const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(known) ? known : undefined;
}

function binaryType(part: Part, types: Types): Known {
  const [left, operator, right] = part.parts;
  if (left === undefined || operator === undefined || right === undefined) return undefined;
  if (["CompareOp", "in", "is", "not"].includes(operator.type)) return { type: "boolean" };
  if (operator.type !== "ArithOp" || !["+", "-", "*"].includes(operator.text)) return undefined;
  return numeric([left, right], types);
}

function numeric(parts: readonly Part[], types: Types): Known {
  const known = parts.filter(({ type }) => type !== "ArithOp").map((part) => typeOf(part, types));
  if (!known.every(isNumber)) return undefined;
  return known.every((one) => one?.type === "integer") ? { type: "integer" } : { type: "number" };
}

const ANSWERS: Readonly<Record<string, string>> = {
  ...{ len: "integer", str: "string", bool: "boolean", any: "boolean", all: "boolean", isinstance: "boolean" },
  ...{ list: "array", sorted: "array", repr: "string" },
};

function callType(part: Part): Known {
  const callee = callOf(part)?.callee;
  const type = callee?.type === "VariableName" ? ANSWERS[callee.text] : undefined;
  return type === undefined ? undefined : { type };
}

/** Types of all variables: what is known of every value that one is given. */
export function inferTypes(
  statements: readonly Part[],
  given: ReadonlyMap<string, Known>,
  answer: Types["answer"],
): Types {
  let found = new Map<string, Known>(given);
  // Optimistic at first; each round takes away what does not hold. The number of rounds is bounded by the chains of a program.
  const assigned = assignments(statements);
  const isGiven = (name: string): boolean => given.has(name);
  for (const { name } of assigned) if (!isGiven(name)) found.set(name, { type: "any" });
  for (let round = 0; round <= assigned.length; round += 1) {
    const types: Types = { of: (name) => optimistic(found.get(name)), answer };
    const next = new Map<string, Known>(given);
    for (const { name, value, operator, from } of assigned) {
      const known = value === undefined ? itemType(from, types) : assignedType(name, value, operator, types);
      next.set(name, isGiven(name) ? undefined : next.has(name) ? join(next.get(name), known) : known);
    }
    if (JSON.stringify([...next]) === JSON.stringify([...found])) break;
    found = next;
  }
  return { of: (name) => optimistic(found.get(name)), answer };
}

const optimistic = (known: Known): Known => (known?.type === "any" ? undefined : known);

interface Assigned {
  name: string;
  value?: Part;
  operator?: string;
  /** What a loop goes through. */
  from?: Part;
}

function assignments(statements: readonly Part[]): Assigned[] {
  return statements.flatMap((part): Assigned[] => {
    const inner = part.parts.flatMap((one) => assignments([one]));
    const assignment = assignmentOf(part);
    if (assignment !== undefined) {
      const { targets, value } = assignment;
      const [only] = value;
      return targets.flat().flatMap((target): Assigned[] => {
        if (target.type !== "VariableName") return [];
        const isPlain = targets.length === 1 && targets[0]?.length === 1 && value.length === 1 && only !== undefined;
        return [isPlain ? { name: target.text, value: only } : { name: target.text }];
      });
    }
    const [target, operator, value] = part.parts;
    if (part.type === "UpdateStatement" && target?.type === "VariableName" && value !== undefined)
      return [{ name: target.text, value, operator: operator?.text ?? "" }];
    if (part.type === "ForStatement") {
      const at = part.parts.findIndex(({ type }) => type === "in");
      const names = part.parts.slice(0, at).filter(({ type }) => type === "VariableName");
      const from = part.parts[at + 1];
      const own = names.map(
        ({ text }): Assigned => (names.length === 1 && from ? { name: text, from } : { name: text }),
      );
      return [...own, ...inner];
    }
    return inner;
  });
}

function itemType(from: Part | undefined, types: Types): Known {
  if (from === undefined) return undefined;
  const call = callOf(from);
  if (call?.callee.text === "range") return { type: "integer" };
  const { type, items } = typeOf(from, types) ?? {};
  return type === "array" && isObject(items) ? items : undefined;
}

function assignedType(name: string, value: Part, operator: string | undefined, types: Types): Known {
  const known = typeOf(value, types);
  if (operator === undefined) return known;
  const before = types.of(name);
  if (!["+=", "-=", "*="].includes(operator)) return undefined;
  if (before === undefined) return known;
  if (isNumber(before) && isNumber(known))
    return before.type === "integer" && known?.type === "integer" ? { type: "integer" } : { type: "number" };
  return operator === "+=" && before.type === "string" && known?.type === "string" ? before : undefined;
}

function join(one: Known, other: Known): Known {
  if (one === undefined || other === undefined) return undefined;
  if (isNumber(one) && isNumber(other) && one.type !== other.type) return { type: "number" };
  return JSON.stringify(one) === JSON.stringify(other) ? one : undefined;
}

/** What a text of Python stands for, where it is written without anything that JSON knows otherwise. */
export function readString(text: string): string | undefined {
  const [, quote, inner = ""] = /^(["'])((?:(?!\1)[^\\\n]|\\["'\\nt])*)\1$/.exec(text) ?? [];
  if (quote === undefined) return undefined;
  return inner.replaceAll(/\\(.)/g, (_all, letter: string) => ({ n: "\n", t: "\t" })[letter] ?? letter);
}
