import type { Queryable } from "@oven/db";
import type { GrantedRole, Permission } from "@oven/module-registry";

export interface BuiltInRole {
  name: "owner" | "admin" | GrantedRole;
  title: string;
  description: string;
}

export const OWNER = "owner";

/** What each of them may do stands where the permissions are declared, as `roles`. */
export const BUILT_IN_ROLES: readonly BuiltInRole[] = [
  { name: OWNER, title: "Owner", description: "Everything, also making other owners." },
  { name: "admin", title: "Admin", description: "Everything but making owners and erasing people and tenants." },
  {
    name: "editor",
    title: "Editor",
    description: "Draws, runs and reviews workflows; no users, keys, secrets, rules or configuration.",
  },
  { name: "operator", title: "Operator", description: "Runs workflows and decides reviews; changes no definition." },
  { name: "reviewer", title: "Reviewer", description: "Decides reviews and sees what they are about." },
  { name: "viewer", title: "Viewer", description: "Sees workflows, runs and reviews; changes nothing." },
  {
    name: "auditor",
    title: "Auditor",
    description: "Sees everything, also users, keys and the audit log; changes nothing.",
  },
];

/** The permissions of a role: `*` of owners, `resource.*` of admins but for what is owners' alone, of every other role those that name it. */
export function permissionsOfRole(role: BuiltInRole["name"], declared: readonly Permission[]): string[] {
  if (role === OWNER) return ["*"];
  if (role === "admin") {
    const held = declared.filter(({ ownersOnly }) => ownersOnly !== true);
    return [...new Set(held.map(({ id }) => `${id.split(".")[0]}.*`))];
  }
  return declared.filter(({ roles = [] }) => roles.includes(role)).map(({ id }) => id);
}

/** Writes the built-in roles as the installed modules make them; what did not change is left alone. */
export async function seedBuiltInRoles(db: Queryable, declared: readonly Permission[]): Promise<void> {
  for (const { name, title, description } of BUILT_IN_ROLES) {
    await db.query(
      `insert into roles (tenant_id, name, title, description, permissions, built_in) values (0, $1, $2, $3, $4, true)
       on conflict (tenant_id, name) do update
         set title = excluded.title, description = excluded.description, permissions = excluded.permissions, updated_at = now()
         where (roles.title, roles.description, roles.permissions)
           is distinct from (excluded.title, excluded.description, excluded.permissions)`,
      [name, title, description, permissionsOfRole(name, declared)],
    );
  }
}
