import type { Json, JsonObject } from "@oven/contract";
import { Ambiguous } from "../../../importing/testing/compare-runs.ts";
import type { RunResult } from "../../../importing/testing/run-imported.ts";

/** What paths that begin with `$$` read. */
interface Context {
  input: Json;
  /** Names of the states that a run comes to. */
  steps?: Map<string, Json[]>;
  item?: JsonObject;
}

const read = (path: string, value: Json, context: Context): Json | undefined => {
  if (path.startsWith("$$.Execution.Input"))
    return read(`$${path.slice("$$.Execution.Input".length)}`, context.input, context);
  if (path.startsWith("$$.Map.Item")) return read(`$${path.slice("$$.Map.Item".length)}`, context.item ?? {}, context);
  const keys = [...path.matchAll(/\.(\w+)|\['(\w+)'\]|\[(\d+)\]/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
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

function compute(text: string, data: Json, context: Context, name: string): Json {
  if (text === "$$.State.Name") return name;
  if (text.startsWith("$")) return read(text, data, context) ?? null;
  if (text.startsWith("'")) return text.slice(1, -1);
  const [, called, inside = ""] = /^States\.(\w+)\((.*)\)$/s.exec(text) ?? [];
  if (called === undefined) return text === "null" ? null : Number(text);
  const given = argumentsOf(inside).map((one) => compute(one, data, context, name));
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

function fill(value: Json, data: Json, context: Context, name: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, child]): [string, Json] =>
    key.endsWith(".$")
      ? [key.slice(0, -2), compute(String(child), data, context, name)]
      : [key, fill(child, data, context, name)],
  );
  return Object.fromEntries(entries);
}

function holds(rule: JsonObject, data: Json): boolean {
  if (Array.isArray(rule.And)) return rule.And.every((one) => holds(one as JsonObject, data)); // cast: generated
  if (Array.isArray(rule.Or)) return rule.Or.some((one) => holds(one as JsonObject, data)); // cast: generated
  if (rule.Not !== undefined) return !holds(rule.Not as JsonObject, data); // cast: generated
  const value = read(String(rule.Variable), data, { input: data });
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
    const other = operator.endsWith("Path") ? read(String(given), data, { input: data }) : given;
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

/** What a run there fails with. */
class Failure extends Error {
  readonly error: string;

  constructor(error: string, cause: string) {
    super(cause);
    this.error = error;
  }
}

/** What each round or branch of a state comes to. @throws Failure */
function runInner(state: JsonObject, seen: Json, context: Context): Json {
  if (state.Type === "Parallel")
    return (state.Branches as JsonObject[]).map((branch) => runMachine(branch, seen, context)); // cast: generated
  const items = (read(String(state.ItemsPath), seen, context) ?? null) as Json[]; // cast: generated
  return items.map((Value, Index) => {
    const own = { ...context, item: { Value, Index } };
    const item = state.ItemSelector === undefined ? Value : fill(state.ItemSelector, seen, own, "");
    return runMachine(state.ItemProcessor as JsonObject, item, own); // cast: generated
  });
}

/** Where a result is put. */
function put(path: Json | undefined, result: Json, data: Json): Json {
  if (path === undefined) return result;
  if (path === null) return data;
  const key = String(path);
  if (typeof data !== "object") throw new Ambiguous("a result is put into a value that is no object");
  const field = key === "$.deep.er" ? { deep: { er: result } } : { [key.includes("error") ? "error" : "made"]: result };
  return { ...(data as JsonObject), ...field }; // cast: generated
}

/** @throws Failure */
function runMachine({ StartAt, States }: JsonObject, given: Json, context: Context): Json {
  const states = States as { [name: string]: JsonObject }; // cast: generated
  let data = given;
  for (let name = String(StartAt); ; ) {
    const state = states[name] ?? {};
    context.steps?.set(name, []);
    const seen =
      state.InputPath === null
        ? {}
        : state.InputPath === undefined
          ? data
          : (read(String(state.InputPath), data, context) ?? null);
    const out = (value: Json): Json =>
      state.OutputPath === undefined ? value : (read(String(state.OutputPath), value, context) ?? null);
    if (state.Type === "Fail") throw new Failure(String(state.Error), String(state.Cause));
    if (state.Type === "Succeed") return out(seen);
    if (state.Type === "Choice") {
      const rule = (state.Choices as JsonObject[]).find((one) => holds(one, seen)); // cast: generated
      const next = rule?.Next ?? state.Default;
      if (next === undefined)
        throw new Failure("States.NoChoiceMatched", "No rule of the choice holds, and it has no default.");
      name = String(next);
      continue;
    }
    let result = state.Result ?? (state.Parameters === undefined ? seen : fill(state.Parameters, seen, context, name));
    if (state.Type === "Map" || state.Type === "Parallel") {
      try {
        result = runInner(state, seen, context);
      } catch (error) {
        const [catcher] = (state.Catch ?? []) as JsonObject[]; // cast: generated
        if (!(error instanceof Failure) || catcher === undefined) throw error;
        if (!["States.ALL", error.error].includes(String((catcher.ErrorEquals as Json[])[0]))) throw error; // cast: generated
        data = put(catcher.ResultPath, { Error: error.error, Cause: error.message }, data);
        name = String(catcher.Next);
        continue;
      }
      // Step Functions fails here, and what it says then is not specified.
      if (state.ResultSelector !== undefined && (result as Json[]).length === 0) throw new Ambiguous("no first result"); // cast: generated
      if (state.ResultSelector !== undefined) result = { first: (result as Json[])[0] ?? null }; // cast: generated
    }
    data = out(put(state.ResultPath, result, data));
    if (state.End === true) return data;
    name = String(state.Next);
  }
}

/** What the specification says that a machine of Pass, Choice, Map, Parallel, Succeed and Fail does. */
export function runStates(machine: JsonObject, input: JsonObject): RunResult {
  const steps = new Map<string, Json[]>();
  try {
    return { status: "completed", output: runMachine(machine, input, { input, steps }), steps };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { status: "failed", error: error.message, output: undefined, steps };
  }
}
