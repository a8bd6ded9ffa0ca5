import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { Route } from "@oven/module-registry";
import { z } from "zod";

type Part = "params" | "query" | "body";

/** How the arguments of a tool are spread over the parts of its route. */
export interface RouteArguments {
  /** All of the route's input as one object. */
  schema: z.ZodObject;
  /** @throws OvenError TOOL_INPUT_INVALID for an argument the route does not have */
  split(args: JsonObject): { params: JsonObject; query: JsonObject; body: Json | undefined };
}

/**
 * A route's params, query and body as one object. A part whose keys clash with an earlier part's, or that is not a
 * plain object, stands under its own name instead (`body`), so nothing is ever sent to the wrong place.
 */
export function toRouteArguments(route: Route): RouteArguments {
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
  return {
    schema: z.strictObject(shape),
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
        // A path holds text only, whatever type a model chose for a number in it.
        else if (owner.part === "params") parts.params[key] = typeof value === "number" ? String(value) : value;
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
