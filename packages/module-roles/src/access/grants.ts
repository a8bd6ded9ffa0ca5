import { isGranted, OvenError, type Principal } from "@oven/contract";

/**
 * People hand on, or take away, only what they hold.
 * @throws OvenError FORBIDDEN naming the first permission that is missing
 */
export function requireAll(principal: Principal, permissions: readonly string[], path: string): void {
  const beyond = permissions.find((permission) => !isGranted(principal.permissions, permission));
  if (beyond === undefined) return;
  throw new OvenError("FORBIDDEN", `This takes the permission ${beyond}, which you do not have yourself`, {
    status: 403,
    path,
    fix: "Ask somebody who has it.",
    details: { permission: beyond },
  });
}

/**
 * The permissions of user `u`, from their roles in their tenant, as text[]. A role's name means the built-in one (tenant 0) or
 * one of their tenant; no name is both.
 */
export const PERMISSIONS_OF_U = `array(
  select distinct granted from user_roles ur
    join roles r on r.name = ur.role and r.tenant_id in (0, ur.tenant_id)
    cross join unnest(r.permissions) as granted
  where ur.user_id = u.id and ur.tenant_id = u.tenant_id)`;
