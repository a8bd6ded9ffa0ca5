import { isGranted } from "@oven/contract";
import { usePermissions } from "react-admin";

/** Whether the person signed in holds a permission. The server decides; this only hides what it would refuse. */
export function useCan(permission: string): boolean {
  return useCanAny()([permission]);
}

/** Tells whether the person signed in holds one of several permissions. */
export function useCanAny(): (permissions: readonly string[]) => boolean {
  const { permissions: held = [] } = usePermissions<string[]>();
  return (permissions) => permissions.some((permission) => isGranted(held, permission));
}
