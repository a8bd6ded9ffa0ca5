import { createHash } from "node:crypto";
import type { Database } from "@oven/db";

/** A key of `tenantId`, written as rows: no route lets one tenant make another. */
export async function insertKey(
  db: Database,
  { tenantId, permissions, role = "admin" }: { tenantId: number; permissions: Record<string, string[]>; role?: string },
): Promise<{ key: string; userId: number; keyId: number }> {
  const key = `oven_test_${tenantId}_${Math.random().toString(36).slice(2)}`;
  const [user] = await db.query<{ id: number }>(
    "insert into users (name, email, tenant_id) values ('Stranger', $1, $2) returning id",
    [`${key}@example.com`, tenantId],
  );
  const userId = user?.id ?? 0;
  await db.query("insert into user_roles (user_id, role, tenant_id) values ($1, $2, $3)", [userId, role, tenantId]);
  const [row] = await db.query<{ id: number }>(
    "insert into api_keys (name, key, reference_id, permissions, tenant_id) values ('stranger', $1, $2::text, $3, $4) returning id",
    [createHash("sha256").update(key).digest("base64url"), userId, JSON.stringify(permissions), tenantId],
  );
  return { key, userId, keyId: row?.id ?? 0 };
}
