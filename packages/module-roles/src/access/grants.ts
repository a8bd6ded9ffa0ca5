import { isGranted, OvenError, type Principal } from "@oven/contract";

/** What both lists allow: for each pair the narrower one, where one covers the other. */
export function intersect(scopes: readonly string[], granted: readonly string[]): string[] {
  const both = new Set<string>();
  for (const scope of scopes) {
    if (isGranted(granted, scope)) both.add(scope);
    else for (const grant of granted) if (isGranted([scope], grant)) both.add(grant);
  }
  return [...both];
}

/**
 * Nobody hands on, or takes away, what he does not have.
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
 * The permissions of user `u`, from his roles in his tenant, as text[]. A role's name means the built-in one (tenant 0) or
 * one of his tenant; no name is both.
 */
export const PERMISSIONS_OF_U = `array(
  select distinct granted from user_roles ur
    join roles r on r.name = ur.role and r.tenant_id in (0, ur.tenant_id)
    cross join unnest(r.permissions) as granted
  where ur.user_id = u.id and ur.tenant_id = u.tenant_id)`;
