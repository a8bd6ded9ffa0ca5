import { getOwn, isOvenError, type Json, type JsonObject, OvenError } from "@oven/contract";
import { isObject, suggest } from "@oven/engine";
import { z } from "zod";
import { readSource } from "./read-source.ts";
import type { ReadSource } from "./source-place.ts";
import { refuseProblems, type SourceProblem } from "./source-problem.ts";

/**
 * A document from text. What is wrong with it is reported with its place in that text.
 * @param create may refuse it with a path as well
 * @param convert a document of another form into this one
 * @throws OvenError SOURCE_UNREADABLE, SOURCE_INVALID
 */
export async function importSource<S extends z.ZodType, T>(
  source: string,
  schema: S,
  create: (spec: z.output<S>) => Promise<T>,
  convert: (value: Json) => Json = (value) => value,
): Promise<T> {
  const read = readSource(source);
  return withPlaces(read, async () => create(parseSource(convert(read.value), schema)));
}

/** Errors of the work that name a path get the place in the text that it stands at. */
export async function withPlaces<T>(read: ReadSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOvenError(error) || error.path === undefined) throw error;
    throw located(error, error.path, read);
  }
}

/** @throws OvenError SOURCE_INVALID with every place that is not as the schema says */
export function parseSource<S extends z.ZodType>(value: unknown, schema: S): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) refuseProblems(parsed.error.issues.flatMap((issue) => toProblems(issue, schema)));
  return schema.parse(value);
}

function toProblems(issue: z.core.$ZodIssue, schema: z.ZodType): SourceProblem[] {
  const path = toPath(issue.path);
  if (issue.code === "invalid_union") {
    // The form that was meant is the one that fits at its top.
    const meant = issue.errors.find((inner) => inner.length > 0 && inner.every((one) => one.path.length > 0));
    if (meant !== undefined)
      return meant.flatMap((inner) => toProblems({ ...inner, path: [...issue.path, ...inner.path] }, schema));
  }
  if (issue.code === "invalid_key") {
    const [inner = issue] = issue.issues;
    return [{ path, message: inner.message, fix: "Give it another name." }];
  }
  if (issue.code !== "unrecognized_keys") {
    const isMissing = issue.code === "invalid_type" && issue.input === undefined && !issue.message.includes("received");
    return [{ path, message: issue.message, fix: isMissing ? "Write it." : "See the guide on this format." }];
  }
  const known = keysAt(schema, issue.path);
  return issue.keys.map((key) => ({
    path: `${path}.${key}`,
    message: `There is no field ${JSON.stringify(key)} here`,
    fix: suggest(key, known, "Leave it out, or look at how it is spelt."),
  }));
}

/** The fields that an object at that place may have. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  for (const part of path) {
    const here = onlyObject(at);
    if (typeof part === "number") at = here?.items;
    else if (isObject(here?.properties)) at = getOwn(here.properties, String(part)) ?? here.additionalProperties;
    else at = here?.additionalProperties;
  }
  const properties = onlyObject(at)?.properties;
  return isObject(properties) ? Object.keys(properties) : [];
}

/** The schema without null, where the value may also be null. */
function onlyObject(schema: unknown): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  const choices = schema.anyOf ?? schema.oneOf;
  return Array.isArray(choices) ? choices.filter(isObject).find(({ type }) => type !== "null") : schema;
}

function toPath(parts: readonly PropertyKey[]): string {
  return parts.reduce<string>(
    (path, part) => (typeof part === "number" ? `${path}[${part}]` : `${path}.${String(part)}`),
    "$",
  );
}

function located(error: OvenError, path: string, { placeOf }: ReadSource): OvenError {
  const { line, column } = placeOf(path);
  const problems = Array.isArray(error.details?.problems) ? error.details.problems : [];
  return new OvenError(error.code, `Line ${line}, column ${column}: ${error.message}`, {
    status: error.status,
    path,
    ...(error.fix === undefined ? {} : { fix: error.fix }),
    details: {
      ...error.details,
      line,
      column,
      problems: problems.map((problem) => {
        const found = problem as JsonObject; // cast: written by `refuseProblems`
        return { ...found, ...placeOf(String(found.path)) };
      }),
    },
    cause: error,
  });
}
