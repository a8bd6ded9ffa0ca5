import { isScalar, type Types, typeOf } from "./json-types.ts";
import { bare, betweenCommas, callOf, type Part } from "./python-tree.ts";

/** What is asked about values of a program. */
export interface Values {
  types: Types;
  /** Whether a variable only ever has values that JSON gives back as they are. */
  isJson(name: string): boolean;
  isTool(name: string): boolean;
}

/** Built-in functions whose answer is a text, a number or a truth, whatever they are given. */
const SCALAR: ReadonlySet<string> = new Set(
  "len str bool any all repr ord chr hex bin oct isinstance abs round int".split(" "),
);
/** Built-in functions whose answer is made of the elements of what they are given. */
const OF_ELEMENTS: ReadonlySet<string> = new Set("list sorted min max sum".split(" "));
const TEXT_METHODS: ReadonlySet<string> = new Set(
  [
    "lower upper strip lstrip rstrip replace title capitalize split rsplit splitlines startswith endswith find rfind index count",
    "join isdigit isalpha isalnum isspace zfill casefold removeprefix removesuffix",
  ].flatMap((names) => names.split(" ")),
);
const TAKING: ReadonlySet<string> = new Set(["get", "copy", "pop"]);
/** Methods that change what they are called on. */
export const CHANGING: ReadonlySet<string> = new Set(
  "append extend insert remove pop clear sort reverse update setdefault popitem add discard".split(" "),
);

/** Whether a value is the same after it was written as JSON and read again. */
export function isJsonValue(expression: Part, values: Values): boolean {
  const part = bare(expression);
  const all = (parts: readonly Part[]): boolean => parts.every((one) => isJsonValue(one, values));
  switch (part.type) {
    case "Number":
      return !/[jJ]$/.test(part.text);
    case "String":
      return /^(?:[rRuU]?["'])/.test(part.text);
    case "ContinuedString":
      return all(part.parts);
    case "FormatString":
    case "Boolean":
    case "None":
      return true;
    case "VariableName":
      return values.isJson(part.text);
    case "ArrayExpression":
      return all(betweenCommas(part.parts).flatMap((group) => group.filter(({ type }) => type !== "*")));
    case "DictionaryExpression":
      return betweenCommas(part.parts).every((group) => isJsonEntry(group, values));
    case "ArrayComprehensionExpression":
    case "DictionaryComprehensionExpression":
      return isJsonComprehension(part, values);
    case "BinaryExpression":
      return !["**", "<<", "@"].includes(part.parts[1]?.text ?? "") && all(operandsOf(part));
    case "UnaryExpression":
      return all(part.parts.slice(1));
    case "ConditionalExpression":
      return all(part.parts.filter(({ type }) => type !== "if" && type !== "else"));
    case "MemberExpression":
      return part.parts[1]?.type === "[" && part.parts[0] !== undefined && all([part.parts[0]]);
    case "AwaitExpression":
      return isAwaitedCall(part, values);
    case "CallExpression":
      return isJsonCall(part, values);
    default:
      return false;
  }
}

export function operandsOf({ parts }: Part): Part[] {
  return parts.filter(({ type }) => !["CompareOp", "ArithOp", "BitOp", "and", "or", "in", "is", "not"].includes(type));
}

function isJsonEntry(group: readonly Part[], values: Values): boolean {
  const [key, , value] = group;
  if (key === undefined) return false;
  if (key.type === "**") return group[1] !== undefined && isJsonValue(group[1], values);
  return value !== undefined && isText(key, values) && isJsonValue(value, values);
}

/** Keys of JSON are texts. */
export function isText(part: Part, { types }: Values): boolean {
  return typeOf(part, types)?.type === "string";
}

/** Its own variables are elements of what it goes through. */
function isJsonComprehension(part: Part, values: Values): boolean {
  const at = part.parts.findIndex(({ type }) => type === "for");
  const made = part.parts.slice(1, at).filter(({ type }) => type !== ":");
  const own = new Map<string, boolean>();
  let index = at;
  while (index >= 0 && index < part.parts.length) {
    const into = part.parts.findIndex(({ type }, place) => place > index && type === "in");
    const source = part.parts[into + 1];
    if (into < 0 || source === undefined) return false;
    const targets = betweenCommas(part.parts.slice(index + 1, into)).flat();
    const inner = withOwn(values, own);
    const fits = targets.length === 1 ? hasJsonElements(source, inner) : hasJsonTuples(source, inner);
    for (const { text } of targets) own.set(text, fits);
    index = part.parts.findIndex(({ type }, place) => place > into && type === "for");
  }
  const inner = withOwn(values, own);
  const [key, value] = made;
  if (part.type === "DictionaryComprehensionExpression")
    return key !== undefined && value !== undefined && isText(key, inner) && isJsonValue(value, inner);
  return made.every((one) => isJsonValue(one, inner));
}

function withOwn(values: Values, own: ReadonlyMap<string, boolean>): Values {
  const { types } = values;
  return {
    ...values,
    isJson: (name) => own.get(name) ?? values.isJson(name),
    types: { ...types, of: (name) => (own.has(name) ? undefined : types.of(name)) },
  };
}

/** Whether each element of what is gone through is JSON. */
export function hasJsonElements(expression: Part, values: Values): boolean {
  const part = bare(expression);
  if (part.type === "ComprehensionExpression") return isJsonComprehension(part, values);
  const call = callOf(part);
  const [first] = call?.arguments ?? [];
  if (call?.callee.type !== "VariableName" || values.isTool(call.callee.text)) return isJsonValue(part, values);
  if (call.callee.text === "range") return true;
  if (["list", "sorted", "reversed", "set"].includes(call.callee.text))
    return first !== undefined && hasJsonElements(first.value, values);
  return isJsonValue(part, values);
}

/** Whether each element is several values that are JSON: pairs of `enumerate`, `zip` and `items`, or lists. */
export function hasJsonTuples(expression: Part, values: Values): boolean {
  const part = bare(expression);
  const call = callOf(part);
  if (call === undefined) return isJsonValue(part, values);
  const { callee } = call;
  if (callee.type === "VariableName" && ["enumerate", "zip"].includes(callee.text))
    return call.arguments.every(({ value }) => hasJsonElements(value, values));
  const [object, , method] = callee.parts;
  if (callee.type === "MemberExpression" && object !== undefined && method?.text === "items")
    return isJsonValue(object, values);
  return isJsonValue(part, values);
}

/** A call of a tool, or of several, that is awaited where it stands. */
export function isAwaitedCall(part: Part, { isTool }: Pick<Values, "isTool">): boolean {
  const call = callOf(bare(part.parts[1] ?? part));
  if (call === undefined) return false;
  if (call.callee.type === "VariableName") return isTool(call.callee.text);
  return call.callee.text === "asyncio.gather";
}

function isJsonCall(part: Part, values: Values): boolean {
  const call = callOf(part);
  if (call === undefined) return false;
  const { callee, arguments: given } = call;
  const all = given.every(({ value }) => isJsonValue(value, values));
  if (callee.type === "VariableName") {
    if (values.isTool(callee.text)) return false;
    if (SCALAR.has(callee.text)) return true;
    if (callee.text === "dict") return given.every(({ name }) => name !== undefined) && all;
    if (!OF_ELEMENTS.has(callee.text)) return false;
    return given
      .filter(({ name }) => name !== "key" && name !== "reverse")
      .every(({ value }) => hasJsonElements(value, values));
  }
  const [object, dot, method] = callee.parts;
  if (callee.type !== "MemberExpression" || object === undefined || dot?.type !== "." || method === undefined)
    return false;
  if (["json.dumps", "json.loads"].includes(callee.text)) return true;
  if (TEXT_METHODS.has(method.text)) return isJsonValue(object, values);
  return TAKING.has(method.text) && isJsonValue(object, values) && all;
}

/** Variables whose values, or parts of them, an expression may hand on without copying them; texts and numbers are none. */
export function aliasesOf(expression: Part, types: Types): string[] {
  const part = bare(expression);
  if (isScalar(typeOf(part, types))) return [];
  const all = (parts: readonly Part[]): string[] => parts.flatMap((one) => aliasesOf(one, types));
  switch (part.type) {
    case "VariableName":
      return [part.text];
    case "MemberExpression":
      return all(part.parts.slice(0, 1));
    case "BinaryExpression":
      return ["and", "or"].includes(part.parts[1]?.type ?? "") || part.parts[1]?.text === "+"
        ? all(operandsOf(part))
        : [];
    case "ConditionalExpression":
    case "ArrayExpression":
    case "DictionaryExpression":
    case "TupleExpression":
    case "ArrayComprehensionExpression":
    case "DictionaryComprehensionExpression":
    case "ComprehensionExpression":
    case "SetExpression":
      return all(part.parts);
    case "CallExpression": {
      const call = callOf(part);
      if (call === undefined) return [];
      const { callee } = call;
      if (callee.type === "VariableName" && SCALAR.has(callee.text)) return [];
      const [object, , method] = callee.parts;
      if (method !== undefined && TEXT_METHODS.has(method.text)) return [];
      return [...(object === undefined ? [] : all([object])), ...all(call.arguments.map(({ value }) => value))];
    }
    default:
      return [];
  }
}
