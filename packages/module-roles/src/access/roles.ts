/** Permissions of the built-in roles. */
const ROLES: Record<string, readonly string[]> = {
  owner: ["*"],
  admin: ["*"],
};

export function permissionsOf(role: string): string[] {
  return Object.hasOwn(ROLES, role) ? [...(ROLES[role] ?? [])] : [];
}
