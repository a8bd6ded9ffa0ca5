import type { Queryable } from "@oven/db";

export interface BuiltInRole {
  name: string;
  title: string;
  description: string;
  /** Whether it has a permission of this resource and action. */
  has(resource: string, action: string): boolean;
}

/** What keeps people in or out, holds what they must not see, or speaks of the whole installation. */
const GUARDED: ReadonlySet<string> = new Set([
  "users",
  "tenants",
  "roles",
  "api-keys",
  "audit",
  "config",
  "conversations",
  "event-subscriptions",
  "events",
  "installation",
  "metrics",
  "notification-deliveries",
  "notification-rules",
  "secrets",
  "agent-memory",
]);
/** Everybody may see these rules; whoever is bound by them may not lift them. */
const RULES: ReadonlySet<string> = new Set([
  "policies",
  "ai-providers",
  "ai-prices",
  "ai-budgets",
  "ai-guardrails",
  "ai-rate-limits",
  "mcp-connections",
]);
const WRITING: ReadonlySet<string> = new Set(["create", "update", "delete", "approve"]);
const OF_REVIEWERS: ReadonlySet<string> = new Set([
  "system.read",
  "workflows.read",
  "agent-workflows.read",
  "executions.read",
  "reviews.read",
  "reviews.decide",
  "notifications.read",
]);

export const OWNER = "owner";

/** Decided from `resource.action` alone, so that a new module's permissions find their place by themselves. */
export const BUILT_IN_ROLES: readonly BuiltInRole[] = [
  { name: OWNER, title: "Owner", description: "Everything, also making other owners.", has: () => true },
  { name: "admin", title: "Admin", description: "Everything but making owners.", has: () => true },
  {
    name: "editor",
    title: "Editor",
    description: "Draws, runs and reviews workflows; no users, keys, secrets, rules or configuration.",
    has: (resource, action) => !GUARDED.has(resource) && (!RULES.has(resource) || action === "read"),
  },
  {
    name: "operator",
    title: "Operator",
    description: "Runs workflows and decides reviews; changes no definition.",
    has: (resource, action) => !GUARDED.has(resource) && !WRITING.has(action),
  },
  {
    name: "reviewer",
    title: "Reviewer",
    description: "Decides reviews and sees what they are about.",
    has: (resource, action) => OF_REVIEWERS.has(`${resource}.${action}`),
  },
  {
    name: "viewer",
    title: "Viewer",
    description: "Sees workflows, runs and reviews; changes nothing.",
    has: (resource, action) => !GUARDED.has(resource) && action === "read",
  },
  {
    name: "auditor",
    title: "Auditor",
    description: "Sees everything, also users, keys and the audit log; changes nothing.",
    has: (_resource, action) => action === "read",
  },
];

/** The permissions of a role, as patterns where it has all of a resource. Owners alone have `*`. */
export function permissionsOfRole(role: BuiltInRole, declared: readonly string[]): string[] {
  if (role.name === OWNER) return ["*"];
  const split = declared.map((id) => id.split(".") as [string, string]); // cast: `resource.action` by contract
  if (role.name === "admin") return [...new Set(split.map(([resource]) => `${resource}.*`))];
  return split.filter(([resource, action]) => role.has(resource, action)).map((parts) => parts.join("."));
}

/** Writes the built-in roles as the installed modules make them; what did not change is left alone. */
export async function seedBuiltInRoles(db: Queryable, declared: readonly string[]): Promise<void> {
  for (const role of BUILT_IN_ROLES) {
    await db.query(
      `insert into roles (tenant_id, name, title, description, permissions, built_in) values (0, $1, $2, $3, $4, true)
       on conflict (tenant_id, name) do update
         set title = excluded.title, description = excluded.description, permissions = excluded.permissions, updated_at = now()
         where (roles.title, roles.description, roles.permissions)
           is distinct from (excluded.title, excluded.description, excluded.permissions)`,
      [role.name, role.title, role.description, permissionsOfRole(role, declared)],
    );
  }
}
