import type { Principal } from "@oven/contract";
import type { Queryable } from "@oven/db";
import { TENANT_OF_U_IS_OPEN } from "../tenants/tenant-is-open.ts";
import { PERMISSIONS_OF_U } from "./grants.ts";

interface UserRow extends Record<string, unknown> {
  tenant_id: number;
  permissions: string[];
}

/** A user with the rights they have now; undefined when they or their tenant are disabled, or they belong to another one. */
export async function findPrincipal(db: Queryable, userId: number, tenantId?: number): Promise<Principal | undefined> {
  const [user] = await db.query<UserRow>(
    `select u.tenant_id, ${PERMISSIONS_OF_U} as permissions from users u
     where u.id = $1 and u.disabled_at is null and ${TENANT_OF_U_IS_OPEN}`,
    [userId],
    "principal-of-user",
  );
  if (user === undefined || (tenantId !== undefined && user.tenant_id !== tenantId)) return undefined;
  return { kind: "user", userId, tenantId: user.tenant_id, permissions: user.permissions };
}
