import type { Principal } from "@oven/contract";
import type { NewRow } from "@oven/db";
import { effectOf, type Reply, type Route } from "../define/define-route.ts";
import { addressOf } from "./caller.ts";
import { toOvenError } from "./errors.ts";

/** One action that a principal did or tried. */
export interface AuditRecord {
  tenantId: number;
  /** Such as `POST agent-workflows/[id]/execute` or `sign-in`. */
  action: string;
  outcome: "done" | "refused" | "failed";
  status: number | null;
  errorCode: string | null;
  actorKind: "user" | "api-key" | "system" | "nobody";
  /** The user who acts, or on whose behalf the key acts. */
  userId: number | null;
  keyId: number | null;
  targetType: string | null;
  targetId: string | null;
  targetVersion: number | null;
  /** Only a keyed digest of it is stored. */
  arguments?: unknown;
  address: string | null;
  userAgent: string | null;
}

/** Where what was done is written down. */
export interface AuditTrail {
  record(entry: AuditRecord): Promise<void>;
  /** The same as a row, for who writes it along with what it tells of. */
  toRow(entry: AuditRecord): NewRow;
}

declare module "../define/services.ts" {
  interface ServiceMap {
    /** Filled by the module that keeps the audit log; without one nothing is written down. */
    auditTrail?: AuditTrail;
  }
}

/** What one request did, as it becomes known. */
export interface Act {
  route: Route;
  request: Request;
  principal: Principal;
  params: Record<string, string>;
  arguments: unknown;
  /** What a raw body asks for, in a few words. */
  said?: string;
}

/** Reads are not recorded. Public routes record their own entries, because the router knows no principal there. */
export function isAudited(route: Route): boolean {
  return route.access !== "public" && route.audited !== false && effectOf(route) !== "pure";
}

/** @param result how it was answered, or will be */
export function toAuditRecord(act: Act, result: Reply | { error: unknown } | { status: number }): AuditRecord {
  const { route, request, principal, params } = act;
  const error = "error" in result ? toOvenError(result.error) : undefined;
  const status = error?.status ?? ("status" in result ? result.status : 500);
  const body = "body" in result && !(result instanceof Response) ? result.body : undefined;
  return {
    tenantId: principal.tenantId,
    action: [route.method, route.path, ...(act.said === undefined ? [] : [act.said])].join(" "),
    outcome: status < 400 ? "done" : status < 500 ? "refused" : "failed",
    status,
    errorCode: error?.code ?? null,
    actorKind: principal.kind,
    userId: principal.userId,
    keyId: principal.keyId ?? null,
    targetType: route.path.split("/")[0] ?? null,
    targetId: (params.id ?? params.slug ?? textField(body, "id"))?.slice(0, 128) ?? null,
    targetVersion: numberField(body, "version") ?? numberField(body, "workflowVersion") ?? null,
    arguments: act.arguments,
    address: addressOf(request) ?? null,
    userAgent: request.headers.get("user-agent")?.slice(0, 256) ?? null,
  };
}

function field(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null && name in body ? Reflect.get(body, name) : undefined;
}

function textField(body: unknown, name: string): string | undefined {
  const value = field(body, name);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function numberField(body: unknown, name: string): number | undefined {
  const value = field(body, name);
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}
