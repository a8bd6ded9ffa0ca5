import { type Json, type JsonObject, OvenError } from "@oven/contract";
import { z } from "zod";
import type { Route } from "../define/define-route.ts";

type Part = "params" | "query" | "body";

/** The input of a route as one object, for tools and nodes, and how it is spread over the parts of the route again. */
export interface FlatArguments {
  /** All of the route's input as one object. */
  schema: z.ZodObject;
  /** Whether arguments fit. What is sent are the arguments as given: the route itself parses them. */
  safeParse(args: JsonObject): z.ZodSafeParseResult<Record<string, unknown>>;
  /** @throws OvenError TOOL_INPUT_INVALID for an argument the route does not have */
  split(args: JsonObject): { params: JsonObject; query: JsonObject; body: Json | undefined };
}

/**
 * A route's params, query and body as one object. A part whose keys clash with an earlier part's, or that is not a
 * plain object, stands under its own name instead (`body`), so nothing is ever sent to the wrong place.
 */
export function toFlatArguments(route: Route): FlatArguments {
  const shape: Record<string, z.ZodType> = {};
  const owners = new Map<string, { part: Part; whole: boolean }>();
  for (const part of ["params", "query", "body"] as const) {
    const schema = route[part];
    if (schema === undefined) continue;
    const fields =
      schema instanceof z.ZodObject ? Object.entries(schema.shape as Record<string, z.ZodType>) : undefined;
    if (fields === undefined || fields.some(([key]) => owners.has(key))) {
      shape[part] = schema;
      owners.set(part, { part, whole: true });
      continue;
    }
    for (const [key, field] of fields) {
      shape[key] = field;
      owners.set(key, { part, whole: false });
    }
  }
  const schema = z.strictObject(shape);
  const isPathValue = (key: string) => owners.get(key)?.part === "params" && owners.get(key)?.whole === false;
  // A path holds text only, whatever type a model or a graph chose for a number in it.
  const toText = (key: string, value: Json): Json =>
    isPathValue(key) && typeof value === "number" ? String(value) : value;
  return {
    schema,
    safeParse: (args) =>
      schema.safeParse(Object.fromEntries(Object.entries(args).map(([key, value]) => [key, toText(key, value)]))),
    split(args) {
      const parts: { params: JsonObject; query: JsonObject; body: Json | undefined } = {
        params: {},
        query: {},
        body: route.body === undefined ? undefined : {},
      };
      for (const [key, value] of Object.entries(args)) {
        const owner = owners.get(key);
        if (owner === undefined) throw unknownArgument(key, [...owners.keys()]);
        if (owner.whole) Object.assign(parts, { [owner.part]: value });
        else if (owner.part === "params") parts.params[key] = toText(key, value);
        else if (owner.part === "query") parts.query[key] = value;
        else parts.body = { ...(parts.body as JsonObject), [key]: value }; // cast: set to {} above, and only this line adds to it
      }
      return parts;
    },
  };
}

function unknownArgument(key: string, known: string[]): OvenError {
  return new OvenError("TOOL_INPUT_INVALID", `There is no argument \`${key}\``, {
    path: `$.${key}`,
    fix: known.length === 0 ? "Call it without arguments" : `The arguments are ${known.join(", ")}`,
  });
}
