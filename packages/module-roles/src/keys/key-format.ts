import { createHash, randomBytes } from "node:crypto";

/** The longest time a key may be valid. */
export const MAX_KEY_DAYS = 3_650;

/** `oven_` and 43 characters: 32 random bytes in base64url. */
export function newKey(): string {
  return `oven_${randomBytes(32).toString("base64url")}`;
}

/** How better-auth's plugin stores a key. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

/** `["a.read", "a.write", "*"]` as the plugin keeps it: actions by resource. */
export function toKeyPermissions(permissions: readonly string[]): Record<string, string[]> {
  // A map: a resource may be called `constructor`.
  const byResource = new Map<string, string[]>();
  for (const permission of permissions) {
    const [resource = permission, action = "*"] = permission.split(".", 2);
    byResource.set(resource, [...(byResource.get(resource) ?? []), action]);
  }
  return Object.fromEntries(byResource);
}

/** The permissions of a stored API key as `resource.action`; none for a key without a list. */
export function fromKeyPermissions(stored: string | null): string[] {
  if (stored === null) return [];
  const byResource = JSON.parse(stored) as Record<string, string[]>; // cast: written by toKeyPermissions
  return Object.entries(byResource).flatMap(([resource, actions]) =>
    actions.map((action) => (resource === "*" ? "*" : `${resource}.${action}`)),
  );
}
