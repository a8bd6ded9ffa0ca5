import { type AuditRecord, addressOf } from "@oven/module-registry";

/** Of an unknown account nothing typed is kept: people type passwords into the wrong field. */
export function toRecord(
  request: Request,
  action: string,
  status: number,
  user: { id: number; tenant_id: number } | undefined,
): AuditRecord {
  return {
    tenantId: user?.tenant_id ?? 1,
    action,
    outcome: status < 400 ? "done" : status < 500 ? "refused" : "failed",
    status,
    errorCode: null,
    actorKind: status < 400 && user !== undefined ? "user" : "nobody",
    userId: status < 400 ? (user?.id ?? null) : null,
    keyId: null,
    targetType: "users",
    targetId: user === undefined ? null : String(user.id),
    targetVersion: null,
    address: addressOf(request) ?? null,
    userAgent: request.headers.get("user-agent")?.slice(0, 256) ?? null,
  };
}
