import type { Json } from "@oven/contract";
import type { Expectation } from "@oven/contract/eval";
import { matchesPattern } from "@oven/engine";
import { readOutput } from "./read-output.ts";
import type { SeenRun } from "./seen-run.ts";
import { bounded, type Verdict, verdict } from "./verdict.ts";

type TextRule = Extract<Expectation, { type: "contains" | "notContains" }>;

export function checkText({ type, path, text, mode, caseSensitive }: TextRule, { output }: SeenRun): Verdict {
  const value = readOutput(output, path);
  if (value === undefined) return verdict(type === "notContains", null, `There is nothing at ${path}`);
  const fold = (given: string) => (caseSensitive ? given : given.toLowerCase());
  const said = fold(toText(value));
  const wanted = [text].flat();
  const found = wanted.filter((one) => said.includes(fold(one)));
  const holds = mode === "all" ? found.length === wanted.length : found.length > 0;
  const passed = type === "contains" ? holds : !holds;
  const missing = wanted.filter((one) => !found.includes(one));
  const reason = type === "contains" ? `Missing: ${missing.join(", ")}` : `Found: ${found.join(", ")}`;
  return verdict(passed, bounded(value), reason);
}

export function checkPattern(
  { path, pattern }: Extract<Expectation, { type: "matches" }>,
  { output }: SeenRun,
): Verdict {
  const value = readOutput(output, path);
  if (value === undefined) return verdict(false, null, `There is nothing at ${path}`);
  return verdict(matchesPattern(pattern, toText(value)), bounded(value), `Does not match ${pattern}`);
}

/** Text as it is, anything else as JSON. */
function toText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
