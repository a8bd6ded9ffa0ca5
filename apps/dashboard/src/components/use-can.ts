import { isGranted } from "@oven/contract";
import { usePermissions } from "react-admin";

/** Whether the person signed in holds a permission. The server decides; this only hides what it would refuse. */
export function useCan(permission: string): boolean {
  const { permissions } = usePermissions<string[]>();
  return isGranted(permissions ?? [], permission);
}
