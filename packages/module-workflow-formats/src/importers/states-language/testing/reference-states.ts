import type { Json, JsonObject } from "@oven/contract";
import type { RunResult } from "../../../importing/testing/run-imported.ts";

const read = (path: string, value: Json, input: Json): Json | undefined => {
  if (path.startsWith("$$.Execution.Input")) return read(`$${path.slice("$$.Execution.Input".length)}`, input, input);
  const keys = [...path.matchAll(/\.(\w+)|\['(\w+)'\]/g)].map((match) => match[1] ?? match[2] ?? "");
  return keys.reduce<Json | undefined>((at, key) => (at as JsonObject | undefined)?.[key], value); // cast: generated
};

function fill(value: Json, data: Json, input: Json): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, child]): [string, Json] =>
    key.endsWith(".$") ? [key.slice(0, -2), read(String(child), data, input) ?? null] : [key, fill(child, data, input)],
  );
  return Object.fromEntries(entries);
}

function holds(rule: JsonObject, data: Json): boolean {
  if (Array.isArray(rule.And)) return rule.And.every((one) => holds(one as JsonObject, data)); // cast: generated
  if (Array.isArray(rule.Or)) return rule.Or.some((one) => holds(one as JsonObject, data)); // cast: generated
  if (rule.Not !== undefined) return !holds(rule.Not as JsonObject, data); // cast: generated
  const value = read(String(rule.Variable), data, data);
  if (rule.IsPresent !== undefined) return (value !== undefined) === rule.IsPresent;
  if (rule.IsNull !== undefined) return (value === null) === rule.IsNull;
  if (rule.StringMatches !== undefined) {
    const parts = String(rule.StringMatches)
      .split("*")
      .map((part) => part.replaceAll(".", "\\."));
    return typeof value === "string" && new RegExp(`^${parts.join(".*")}$`, "s").test(value);
  }
  const wanted = rule.StringEquals ?? rule.NumericEquals ?? rule.BooleanEquals;
  if (wanted !== undefined) return value === wanted;
  if (typeof value !== "number") return false;
  return rule.NumericLessThan === undefined
    ? value >= Number(rule.NumericGreaterThanEquals)
    : value < Number(rule.NumericLessThan);
}

/** What the specification says that a machine of Pass, Choice, Succeed and Fail does. */
export function runStates({ StartAt, States }: JsonObject, input: JsonObject): RunResult {
  const states = States as { [name: string]: JsonObject }; // cast: generated
  const steps = new Map<string, Json[]>();
  let data: Json = input;
  for (let name = String(StartAt); ; ) {
    const state = states[name] ?? {};
    steps.set(name, []);
    const seen = state.InputPath === undefined ? data : (read(String(state.InputPath), data, input) ?? null);
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
    const result = state.Result ?? (state.Parameters === undefined ? seen : fill(state.Parameters, seen, input));
    if (state.ResultPath === undefined) data = result;
    else if (state.ResultPath !== null) data = { ...(data as JsonObject), made: result }; // cast: generated
    data = out(data);
    if (state.End === true) return { status: "completed", output: data, steps };
    name = String(state.Next);
  }
}
