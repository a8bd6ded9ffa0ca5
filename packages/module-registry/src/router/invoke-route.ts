import { type Json, OvenError, type Principal } from "@oven/contract";
import { withinTenant } from "@oven/db";
import type { Route } from "../define/define-route.ts";
import type { ToolRun } from "../define/define-tool.ts";
import type { ServiceMap } from "../define/services.ts";
import { AuditContext } from "./audit-context.ts";
import { type Act, isAudited } from "./audit-trail.ts";
import { requirePermission } from "./authentication.ts";
import { parseArguments, type RouteArguments } from "./parse-request.ts";
import { withoutCredentials } from "./without-credentials.ts";

export interface InvokeOptions {
  principal: Principal;
  services: ServiceMap;
  signal: AbortSignal;
  idempotencyKey?: string;
  /** The call of a run that this is. */
  run?: ToolRun;
}

/**
 * Calls a route's handler in-process as `principal`: same permission check, same schemas, no HTTP. Credentials are removed from the answer,
 * because callers store it or hand it to a model.
 * @throws OvenError whatever the route would answer
 */
export async function invokeRoute(route: Route, given: Partial<RouteArguments>, options: InvokeOptions): Promise<Json> {
  if (route.raw) throw new OvenError("NOT_CALLABLE", `${route.method} ${route.path} can be called over HTTP only`);
  if (typeof route.access === "object") requirePermission(options.principal, route.access.permission);
  const parsed = parseArguments(route, { params: given.params ?? {}, query: given.query ?? {}, body: given.body });
  const url = `http://in-process/api/${route.path}`;
  const headers = options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey };
  const request = new Request(url, { method: route.method, headers, signal: options.signal });
  // cast: parsed by this route's own schemas
  const context = { ...parsed, ...options, request } as unknown as Parameters<Route["handler"]>[0];
  const reply = await withinTenant(options.principal.tenantId, () => route.handler(context));
  if (reply instanceof Response) {
    throw new OvenError(
      "NOT_CALLABLE",
      `${route.method} ${route.path} answers a stream, which only HTTP clients can read`,
    );
  }
  const answer = JSON.parse(JSON.stringify(reply.body ?? null)) as Json; // cast: JSON.parse gives JSON
  return route.response === undefined ? answer : withoutCredentials(route.response, answer);
}

/**
 * Calls a route in the name of a person whose request did not come with their own credentials, such as a press on a button in a messenger: as
 * `invokeRoute`, counted and written into the audit log as their own request would be.
 * @param said which way it came, for the audit log
 * @throws OvenError whatever the route would answer, TOO_MANY_REQUESTS 429
 */
export async function invokeAudited(
  route: Route,
  given: Partial<RouteArguments>,
  { request, said, ...rest }: Omit<InvokeOptions, "signal"> & { request: Request; said: string },
): Promise<Json> {
  const { principal, services } = rest;
  await services.requestLimits?.admit(principal);
  // What has begun is finished: the caller may be gone before the answer.
  const options: InvokeOptions = { ...rest, signal: new AbortController().signal };
  const { auditTrail } = services;
  if (!isAudited(route) || auditTrail === undefined) return invokeRoute(route, given, options);
  const params = Object.fromEntries(
    Object.entries((given.params ?? {}) as object).map(([name, value]) => [name, String(value)]),
  );
  const act: Act = { route, request, principal, params, arguments: given, said };
  const open = new AuditContext(act, auditTrail);
  try {
    const body = await open.serve(() => invokeRoute(route, given, options));
    await open.end({ status: 200, body });
    return body;
  } catch (error) {
    await open.end({ error });
    throw error;
  }
}
