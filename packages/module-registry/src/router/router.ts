import { hash } from "node:crypto";
import { isOvenError, OvenError, type Principal, refuseLongNumbers } from "@oven/contract";
import { decodeText } from "@oven/contract/text";
import { withinTenant } from "@oven/db";
import { Hono } from "hono";
import type { ModuleDefinition, RegistryView } from "../define/define-module.ts";
import type { ErrorShape, Reply, Route } from "../define/define-route.ts";
import type { ServiceMap } from "../define/services.ts";
import { AuditContext } from "./audit-context.ts";
import { type Act, isAudited } from "./audit-trail.ts";
import { authorize, identify } from "./authentication.ts";
import { addressOf } from "./caller.ts";
import { allowOrigin, answerPreflight } from "./cross-origin.ts";
import { toErrorResponse, toOvenError } from "./errors.ts";
import { checkResponse, parseArguments, parseParams } from "./parse-request.ts";
import { DEFAULT_BODY_LIMIT, readBytes, readJsonBody } from "./read-body.ts";
import { requireWorkflowScope } from "./workflow-scope.ts";

export interface RouterOptions {
  registry: RegistryView;
  services: ServiceMap;
  publicUrl: string;
  /** Checks every answer against its route's declaration; for tests and development. */
  verifyResponses: boolean;
}

/** Characters of the description of a raw body that the audit log stores. */
const MOST_SAID = 200;

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * One pipeline for every route: match, credentials, origin, rate, permission, workflow scope, size, shape, handler, audit
 * trail, error funnel.
 * A path without a declared route is 404.
 */
export function createRouter(options: RouterOptions): (request: Request) => Promise<Response> {
  const app = new Hono();
  for (const { module, route } of options.registry.routes()) {
    for (const path of pathsOf(module, route)) {
      app.on(route.method, toPattern(path), async (context) => {
        const { raw: request } = context.req;
        const params: Record<string, string> = context.req.param();
        const response = await respond(
          () => handle(route, request, params, options),
          (error) => options.services.challenge?.(request, error),
          route.errors,
        );
        if (route.crossOrigin !== undefined) await allowOrigin(response.headers, route, { params, request });
        return response;
      });
      if (route.crossOrigin === undefined) continue;
      app.on("OPTIONS", toPattern(path), async (context) =>
        respond(() => answerPreflight(route, { params: context.req.param(), request: context.req.raw })),
      );
    }
  }
  app.notFound((context) => respond(() => refuseUnknown(context.req.raw, options.registry)));
  return async (request) => app.fetch(request);
}

function pathsOf({ pathAliases }: ModuleDefinition, { path }: Route): string[] {
  const others = Object.entries(pathAliases)
    .filter(([, target]) => path === target || path.startsWith(`${target}/`))
    .map(([alias, target]) => `${alias}${path.slice(target.length)}`);
  return [path, ...others];
}

async function handle(
  route: Route,
  request: Request,
  params: Record<string, string>,
  options: RouterOptions,
): Promise<Response> {
  const principal = await admit(route, request, options);
  const act: Act = { route, request, principal, params, arguments: undefined };
  const { auditTrail } = options.services;
  if (!isAudited(route) || auditTrail === undefined) return toResponse(await perform(act, options), route, options);
  const open = new AuditContext(act, auditTrail);
  let reply: Reply;
  try {
    reply = await open.serve(() => perform(act, options));
  } catch (error) {
    await open.end({ error });
    throw error;
  }
  await open.end(reply);
  return toResponse(reply, route, options);
}

/** Who it is, and whether they may make requests at all just now. */
async function admit(route: Route, request: Request, { services, publicUrl }: RouterOptions): Promise<Principal> {
  const { requestLimits } = services;
  try {
    const principal = await identify(request, route, services.authenticate, publicUrl);
    if (route.access !== "public") await requestLimits?.admit(principal);
    return principal;
  } catch (error) {
    if (isOvenError(error) && error.status === 401) await requestLimits?.refused(addressOf(request));
    throw error;
  }
}

async function perform(act: Act, { services }: RouterOptions): Promise<Reply> {
  const { route, request, principal, params } = act;
  authorize(principal, route.access);
  requireWorkflowScope(route, principal);
  const body = route.raw || request.method === "GET" ? undefined : await readBody(act, services);
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const parsed = parseArguments(route, { params, query, body });
  act.arguments = parsed;
  const text = route.rawBody === undefined ? undefined : await readRawBody(act, route.rawBody);
  const context = {
    ...parsed,
    ...(text === undefined ? {} : { text }),
    request,
    principal,
    // Making one takes a while, and most handlers do not ask for it.
    get signal() {
      return request.signal;
    },
    services,
  } as Parameters<Route["handler"]>[0]; // cast: parsed by this route's own schemas
  if (route.access === "public") return route.handler(context);
  return withinTenant(principal.tenantId, () => route.handler(context));
}

/** @throws OvenError BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON, NUMBER_NOT_EXACT */
async function readBody({ route, request, principal, params }: Act, services: ServiceMap): Promise<unknown> {
  const read = await readJsonBody(request, route.bodyLimit ?? DEFAULT_BODY_LIMIT);
  if (read === undefined || read.longNumbers.length === 0) return read?.value;
  const { dataSchema } = route;
  const ask = async () => dataSchema?.({ params: parseParams(route, params), body: read.value, principal, services });
  const data = await (route.access === "public" ? ask() : withinTenant(principal.tenantId, ask));
  refuseLongNumbers(read.longNumbers, { what: "The body", ...data });
  return read.value;
}

/**
 * The body as text; its digest and what it asks for are noted.
 * @throws OvenError BODY_TOO_LARGE, TEXT_UNDECODABLE
 */
async function readRawBody(act: Act, { limit, says }: NonNullable<Route["rawBody"]>): Promise<string> {
  const bytes = await readBytes(act.request, limit);
  const digest = hash("sha256", bytes, "hex");
  act.arguments = { ...(act.arguments as object), body: digest }; // cast: what parseArguments answered
  const contentType = act.request.headers.get("content-type");
  const { text } = decodeText(bytes, { contentType, what: "The body", path: "$" });
  const said = says?.(text);
  if (said !== undefined) act.said = said.replace(/[^\x20-\x7e]/g, "?").slice(0, MOST_SAID);
  return text;
}

function toResponse(reply: Reply, route: Route, { verifyResponses }: RouterOptions): Response {
  if (reply instanceof Response) return reply;
  if (verifyResponses && reply.status < 300) checkResponse(route, reply.body);
  if (reply.body === undefined)
    return new Response(null, { status: reply.status, ...(reply.headers && { headers: reply.headers }) });
  return new Response(JSON.stringify(reply.body), {
    status: reply.status,
    headers: { "content-type": "application/json; charset=utf-8", ...reply.headers },
  });
}

type Challenge = (error: OvenError) => Promise<string | undefined> | undefined;

async function respond(
  work: () => Promise<Response> | Response,
  challenge?: Challenge,
  errors?: ErrorShape,
): Promise<Response> {
  let response: Response;
  try {
    response = await work();
  } catch (error) {
    response = toErrorResponse(error, errors);
    const known = toOvenError(error);
    const wanted = known.status === 401 || known.status === 403 ? await challenge?.(known) : undefined;
    if (wanted !== undefined) response.headers.set("www-authenticate", wanted);
  }
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

function refuseUnknown(request: Request, registry: RegistryView): Response {
  const path = new URL(request.url).pathname;
  const methods = registry
    .routes()
    .filter(({ module, route }) => pathsOf(module, route).some((known) => toRegExp(known).test(path)))
    .map(({ route }) => route.method);
  if (methods.length === 0) {
    throw new OvenError("NOT_FOUND", `There is nothing at ${path}`, {
      status: 404,
      fix: "See /api/openapi.json for what there is.",
    });
  }
  const refused = toErrorResponse(
    new OvenError("METHOD_NOT_ALLOWED", `${request.method} is not offered at ${path}`, {
      status: 405,
      fix: `Use ${methods.join(" or ")}.`,
    }),
  );
  // RFC 9110 §15.5.6: a 405 names what is allowed.
  refused.headers.set("allow", methods.join(", "));
  return refused;
}

/** `agent-workflows/[id]` → `/api/agent-workflows/:id`; `[...rest]` takes the remainder. */
function toPattern(path: string): string {
  return `/api/${path.replace(/\[\.\.\.(\w+)\]/g, ":$1{.+}").replace(/\[(\w+)\]/g, ":$1")}`;
}

function toRegExp(path: string): RegExp {
  const pattern = path
    .split("/")
    .map((part) => (part.startsWith("[...") ? ".+" : part.startsWith("[") ? "[^/]+" : part.replaceAll(".", "\\.")))
    .join("/");
  return new RegExp(`^/api/${pattern}$`);
}
