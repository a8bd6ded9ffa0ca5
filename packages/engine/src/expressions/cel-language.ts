import type { DefinitionFunction } from "@marcbachmann/cel-js";
import type { CelCheck, CelFunction, CelLanguage } from "@oven/contract/workflow";
import { compileCel } from "./cel.ts";
import { CEL_VARIABLES, celEnvironment, OWN } from "./cel-environment.ts";
import { ExpressionSyntaxError } from "./expression-error.ts";

const VARIABLES: Record<(typeof CEL_VARIABLES)[number], string> = {
  ctx: "Variables, results of steps and everything else the run has, by key",
  trigger: "What the run was started with",
  item: "The item of the forEach loop around",
  index: "The number of the round of the loop around, from 0",
  parent: "The context of the run that called this one",
  execution: "The run itself",
  output: "The result just produced, in conditions after a step",
  event: "The event just received, in conditions after one",
  args: "What a review is about, in the conditions of its stages: the arguments of a call, or what is shown",
};

/** By name, whatever it is called on. */
const DOCS: Readonly<Record<string, string>> = {
  all: "Whether the condition holds for every entry",
  exists: "Whether the condition holds for at least one entry",
  exists_one: "Whether the condition holds for exactly one entry",
  filter: "The entries for which the condition holds",
  map: "Each entry turned into a value; with three parts, only where the condition holds",
  has: "Whether a field is there: has(ctx.order.id)",
  bind: "Gives a value a name within an expression",
  dyn: "The value, its type not checked beforehand",
  type: "The type of a value",
  bool: "As true or false",
  int: "As a whole number",
  uint: "As a whole number from 0",
  double: "As a number",
  string: "As text",
  bytes: "As bytes",
  size: "How many characters, entries or keys",
  startsWith: "Whether the text begins so",
  endsWith: "Whether the text ends so",
  contains: "Whether it is in the text",
  matches: "Whether the RE2 pattern is found in the text",
  lowerAscii: "In small letters",
  upperAscii: "In capitals",
  trim: "Without the space around it",
  indexOf: "Where it first stands in the text; -1: nowhere",
  lastIndexOf: "Where it last stands in the text; -1: nowhere",
  substring: "A part of the text, from one place up to another",
  split: "The text cut at each separator",
  join: "The texts put together",
  json: "Bytes read as JSON",
  hex: "Bytes as hexadecimal text",
  base64: "Bytes as base64 text",
  at: "One of the bytes",
  timestamp: "A moment, of an ISO text or seconds",
  duration: 'A span of time, such as "90s" or "1h30m"',
  getDate: "Day of the month, from 1",
  getDayOfMonth: "Day of the month, from 0",
  getDayOfWeek: "Day of the week, from 0 on Sunday",
  getDayOfYear: "Day of the year, from 0",
  getFullYear: "Year",
  getMonth: "Month, from 0",
  getHours: "Hours",
  getMinutes: "Minutes",
  getSeconds: "Seconds",
  getMilliseconds: "Milliseconds",
  none: "A value that is not there",
  of: "A value that is there",
  or: "Itself, or the other where it is not there",
  orValue: "Its value, or the other where it is not there",
  hasValue: "Whether it is there",
  value: "Its value",
};

/** What macros take instead of values. */
const MACROS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  all: { 2: "x, condition" },
  exists: { 2: "x, condition" },
  exists_one: { 2: "x, condition" },
  filter: { 2: "x, condition" },
  map: { 2: "x, value", 3: "x, condition, value" },
  has: { 1: "field" },
  bind: { 3: "x, value, expression" },
  or: { 1: "optional" },
  orValue: { 1: "value" },
};

/** Namespaces by the name that stands in the expression. */
const NAMESPACES: Readonly<Record<string, string>> = { OptionalNamespace: "optional", CelNamespace: "cel" };

/** Everything an expression can name: taken from what parses it, so there is nothing to keep in step. */
export function celLanguage(): CelLanguage {
  const { functions } = celEnvironment.getDefinitions();
  return {
    variables: CEL_VARIABLES.map((name) => ({ name, description: VARIABLES[name] })),
    functions: functions.filter(isPublic).map(toShown),
  };
}

/** Neither one of our own, nor one that only a namespace could be given to. */
function isPublic({ name, params }: DefinitionFunction): boolean {
  return !name.startsWith(OWN) && params.every(({ type }) => !Object.hasOwn(NAMESPACES, type));
}

function toShown({ name, receiverType, returnType, params }: DefinitionFunction): CelFunction {
  const takes = MACROS[name]?.[params.length] ?? params.map(({ type }) => toType(type)).join(", ");
  return {
    name,
    receiver: receiverType === null ? null : toType(receiverType),
    form: `${name}(${takes})`,
    returns: toType(returnType),
    description: DOCS[name] ?? "",
  };
}

/** `list<dyn>` reads `list`, `google.protobuf.Timestamp` reads `timestamp`. */
function toType(type: string): string {
  const bare = type.replace(/<.*>$/, "");
  if (bare === "dyn" || bare === "ast" || /^[A-Z]$/.test(bare)) return "any";
  return NAMESPACES[bare] ?? bare.replace(/^google\.protobuf\.(\w)/, (_, first: string) => first.toLowerCase());
}

/** What is wrong with a text as CEL, and where in it. */
export function checkCel(expression: string): CelCheck {
  try {
    compileCel(expression);
    return { problem: null };
  } catch (cause) {
    if (!(cause instanceof ExpressionSyntaxError)) throw cause;
    const { start, end, reason } = cause.place ?? { start: 0, end: expression.length, reason: cause.message };
    return { problem: { message: reason, fix: cause.fix, start, end } };
  }
}
