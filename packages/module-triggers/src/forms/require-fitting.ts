import { type Json, type JsonObject, OvenError } from "@oven/contract";
import { isObject, violationsOf } from "@oven/engine";

/** @throws OvenError INVALID_INPUT 400 with `details.problems`: `[{path: "$.email", message}]`. A schema that is no object takes all. */
export function requireFitting(schema: Json | undefined, values: JsonObject): void {
  const problems = isObject(schema) ? violationsOf(schema, values, "$") : [];
  const [first] = problems;
  if (first === undefined) return;
  throw new OvenError("INVALID_INPUT", `${first.path}: ${first.message}`, {
    path: first.path,
    fix: "Correct what is marked.",
    details: { problems: problems.map((problem) => ({ ...problem })) },
  });
}
