import type { DataSchema, Json, OvenError, Principal } from "@oven/contract";
import type { Effect } from "@oven/contract/node";
import type { z } from "zod";
import type { ToolRun } from "./define-tool.ts";
import type { ServiceMap } from "./services.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Who may call a route: the holder of a permission, any signed-in principal, or anybody. */
export type Access = { permission: string } | "session" | "public";

export interface RouteContext<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  principal: Principal;
  request: Request;
  /** The body of a raw route with `rawBody`. */
  text?: string;
  signal: AbortSignal;
  services: ServiceMap;
  /** Where it is a tool or a node of a run: which call of which run. */
  run?: ToolRun;
}

/** What a handler answers: JSON with a status, or a whole `Response` (streams). */
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | Response;

/** Errors in the shape that the clients of another API know. */
export interface ErrorShape {
  schema: z.ZodType;
  toBody(error: OvenError): unknown;
  /** Beside those of every error. */
  headers(error: OvenError): Record<string, string>;
}

type Schema = z.ZodType | undefined;
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

export interface RouteDescription<P extends Schema, Q extends Schema, B extends Schema> {
  method: Method;
  /** Without `/api`: `agent-workflows/[id]/execute`; `[...rest]` takes the remainder. */
  path: string;
  /** `agentWorkflows.execute` makes the API node and tool `{namespace}.{operation}`; false offers neither. */
  operation: string | false;
  summary: string;
  description?: string;
  access: Access;
  params?: P;
  query?: Q;
  body?: B;
  /** Schema of the successful JSON answer; absent for streams and 204. */
  response?: z.ZodType;
  /**
   * Of a route that pages of other sites call: the origin of the request where it may, which CORS then allows without credentials.
   * Preflights ask it too. Absent: the pages of this server alone.
   */
  crossOrigin?(asked: { params: Record<string, string>; request: Request }): Promise<string | undefined>;
  /** How its errors are answered, whoever throws them; absent: as `ErrorBodySchema` says. */
  errors?: ErrorShape;
  /** Bytes; default 1 MiB. */
  bodyLimit?: number;
  /**
   * The JSON Schema that a part of the body has in this request, such as the payload schema of the workflow to start. A number that a double
   * cannot hold stays as text where it takes text; elsewhere such a number is refused. Called only when the body has one; `body` is as
   * it came, with the text of the number in its place.
   */
  dataSchema?(asked: {
    params: Parsed<P>;
    body: Json;
    principal: Principal;
    services: ServiceMap;
  }): Promise<DataSchema | undefined>;
  effect?: Effect;
  /** Whether a person must approve each call that a model or a step makes of it. Who calls the route itself is a person, or has a key. */
  needsApproval?: boolean;
  /** Further permissions than that of `access`, needed with some arguments. */
  mayNeed?: readonly string[];
  /**
   * As a step or tool it hands on what its caller may do: it starts runs, or makes what later acts for its caller, such as a version or a
   * trigger. Which permissions that takes, only its arguments say.
   */
  delegates?: true;
  /** A person whose role demands a second factor, and who has signed in without one, may call it all the same: it leads to one. */
  beforeSecondFactor?: true;
  /** False: nothing comes of it that the audit log should tell, such as a draft that is saved every few seconds. */
  audited?: false;
  /** Its handler reaches only what `principal.workflows` and `principal.agents` name; anything else is closed to callers bound to some. */
  keepsToWorkflows?: boolean;
  /** The raw request is the handler's to read (better-auth, MCP); body and content type are not checked. */
  raw?: boolean;
  /** Of a raw route that is audited: its body is read and counted first, so that a digest of it can be written down; the handler has it as `text`, and no more in the request. */
  rawBody?: {
    /** Bytes. */
    limit: number;
    /** A few words about what a body requests, for the audit log; undefined when the path says it all. */
    says?(body: string): string | undefined;
  };
  handler(context: RouteContext<Parsed<P>, Parsed<Q>, Parsed<B>>): Promise<Reply>;
}

export type Route = RouteDescription<Schema, Schema, Schema>;

/** Declares a route: the router decides access, size and shape from it before the handler runs. */
export function defineRoute<P extends Schema = undefined, Q extends Schema = undefined, B extends Schema = undefined>(
  route: RouteDescription<P, Q, B>,
): Route {
  return route as unknown as Route; // cast: the router parses params, query and body with these very schemas
}

/** What repeating a call may do: as declared, else reading is pure and anything else may act twice. */
export function effectOf(route: Route): Effect {
  return route.effect ?? (route.method === "GET" ? "pure" : "at-least-once");
}

/** 200 with a JSON body. */
export const ok = (body: unknown, headers?: Record<string, string>): Reply => ({
  status: 200,
  body,
  ...(headers === undefined ? {} : { headers }),
});
/** 201 with the new row. */
export const created = (body: unknown): Reply => ({ status: 201, body });
/** 202: the work goes on after the answer. */
export const accepted = (body: unknown, headers?: Record<string, string>): Reply => ({
  status: 202,
  body,
  ...(headers === undefined ? {} : { headers }),
});
/** 204. */
export const noContent = (): Reply => ({ status: 204 });
