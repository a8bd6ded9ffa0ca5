import { createHash, randomUUID } from "node:crypto";
import type { Queryable } from "@oven/db";

export interface AddedPerson {
  id: number;
  email: string;
  /** An API key of theirs. */
  key: string;
  keyId: number;
}

/**
 * A new person with a role, and a key of theirs: written into the database, without an invitation.
 * @param options.permissions of the key; default: all that the role has
 * @param options.workflows that the key is bound to; default: none
 */
export async function addPerson(
  db: Queryable,
  role: string,
  {
    tenantId = 1,
    name = `The ${role}`,
    permissions = { "*": ["*"] },
    workflows = null,
  }: {
    tenantId?: number;
    name?: string;
    permissions?: Record<string, string[]>;
    workflows?: string[] | null;
  } = {},
): Promise<AddedPerson> {
  const email = `${randomUUID()}@example.com`;
  const [user] = await db.query<{ id: number }>(
    "insert into users (name, email, tenant_id) values ($1, $2, $3) returning id",
    [name, email, tenantId],
  );
  const id = Number(user?.id);
  await db.query("insert into user_roles (user_id, role, tenant_id) values ($1, $2, $3)", [id, role, tenantId]);
  const key = `oven_test_${randomUUID()}`;
  const [row] = await db.query<{ id: number }>(
    `insert into api_keys (name, key, reference_id, permissions, tenant_id, workflows)
     values ('test', $1, $2::text, $3, $4, $5) returning id`,
    [createHash("sha256").update(key).digest("base64url"), id, JSON.stringify(permissions), tenantId, workflows],
  );
  return { id, email, key, keyId: Number(row?.id) };
}
