import { isGranted } from "@oven/contract";
import type { PermissionInfo } from "@oven/contract/access";

export interface PermissionGroup {
  resource: string;
  permissions: PermissionInfo[];
}

/** Permissions by the resource they are about, in the order in which modules declare them. */
export function groupPermissions(permissions: readonly PermissionInfo[]): PermissionGroup[] {
  const groups = new Map<string, PermissionInfo[]>();
  for (const permission of permissions) {
    const resource = permission.id.split(".")[0] ?? permission.id;
    groups.set(resource, [...(groups.get(resource) ?? []), permission]);
  }
  return [...groups].map(([resource, list]) => ({ resource, permissions: list }));
}

/** Gives or takes all of a resource: written as `resource.*`, so that a permission declared later belongs to it. */
export function toggleGroup(chosen: readonly string[], { resource }: PermissionGroup, on: boolean): string[] {
  const others = chosen.filter((id) => id.split(".")[0] !== resource);
  return on ? [...others, `${resource}.*`] : others;
}

/** Gives or takes one; taking one out of `resource.*` leaves the others by name. */
export function togglePermission(chosen: readonly string[], group: PermissionGroup, id: string, on: boolean): string[] {
  const all = `${group.resource}.*`;
  if (on) return isGranted(chosen, id) ? [...chosen] : [...chosen, id];
  const others = chosen.filter((entry) => entry !== id && entry !== all);
  if (!chosen.includes(all)) return others;
  return [...others, ...group.permissions.map((entry) => entry.id).filter((entry) => entry !== id)];
}
