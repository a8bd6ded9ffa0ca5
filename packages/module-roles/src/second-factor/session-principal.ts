import { OvenError, type Principal } from "@oven/contract";
import type { Queryable } from "@oven/db";
import { PERMISSIONS_OF_U } from "../access/grants.ts";
import { TENANT_OF_U_IS_OPEN } from "../tenants/tenant-is-open.ts";

/** Whether one of the roles of user `u` demands a second factor in their tenant. */
export const SECOND_FACTOR_DEMANDED_OF_U = `exists (
  select from user_roles ur join role_settings s on s.tenant_id = ur.tenant_id and s.role = ur.role
  where ur.user_id = u.id and ur.tenant_id = u.tenant_id and s.requires_second_factor)`;

/** Who a session stands for. */
export interface SessionPrincipal {
  principal: Principal;
  /** Their roles demand a second factor and the session has none: the principal may do nothing. */
  lacksSecondFactor: boolean;
}

interface UserRow extends Record<string, unknown> {
  tenant_id: number;
  permissions: string[];
  demanded: boolean;
}

/**
 * The person of a session with the rights they have now; undefined when they or their tenant are disabled.
 * @param factor with what the session was made; null: with a password alone
 */
export async function findSessionPrincipal(
  db: Queryable,
  userId: number,
  factor: string | null,
): Promise<SessionPrincipal | undefined> {
  const [user] = await db.query<UserRow>(
    `select u.tenant_id, ${PERMISSIONS_OF_U} as permissions, ${SECOND_FACTOR_DEMANDED_OF_U} as demanded
     from users u where u.id = $1 and u.disabled_at is null and ${TENANT_OF_U_IS_OPEN}`,
    [userId],
    "principal-of-session",
  );
  if (user === undefined) return undefined;
  const lacksSecondFactor = user.demanded && factor === null;
  const permissions = lacksSecondFactor ? [] : user.permissions;
  return { principal: { kind: "user", userId, tenantId: user.tenant_id, permissions }, lacksSecondFactor };
}

export function secondFactorRequired(): OvenError {
  return new OvenError(
    "SECOND_FACTOR_REQUIRED",
    "A role of yours demands a second factor, and this session was made with a password alone",
    {
      status: 403,
      fix: "Open /second-factor in the dashboard and set up an authenticator app or a passkey; if you have one already, sign in with it.",
    },
  );
}
