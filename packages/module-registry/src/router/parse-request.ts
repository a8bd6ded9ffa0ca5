import { OvenError } from "@oven/contract";
import type { z } from "zod";
import type { Route } from "../define/define-route.ts";
import { fromZod } from "./errors.ts";

export interface RouteArguments {
  params: unknown;
  query: unknown;
  body: unknown;
}

/**
 * Params, query and body by the route's schemas.
 * @throws OvenError INVALID_REQUEST naming the path of what is wrong
 */
export function parseArguments(route: Route, given: RouteArguments): RouteArguments {
  return {
    params: parseParams(route, given.params),
    query: parse(route.query, given.query, "$query"),
    body: route.raw ? undefined : parse(route.body, route.body === undefined ? undefined : (given.body ?? {}), "$"),
  };
}

/** @throws OvenError INVALID_REQUEST */
export function parseParams(route: Route, params: unknown): unknown {
  return parse(route.params, params, "$params");
}

function parse(schema: z.ZodType | undefined, value: unknown, root: string): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value);
  if (!result.success) throw fromZod(result.error, root);
  return result.data;
}

/** @throws OvenError RESPONSE_SHAPE when a handler's answer is not what its route declares */
export function checkResponse(route: Route, body: unknown): void {
  if (route.response === undefined) return;
  const result = route.response.safeParse(JSON.parse(JSON.stringify(body ?? null)));
  if (result.success) return;
  const issue = result.error.issues[0];
  throw new OvenError(
    "RESPONSE_SHAPE",
    `${route.method} ${route.path} answered something it does not declare: ${issue?.path.join(".")} ${issue?.message}`,
    { status: 500 },
  );
}
