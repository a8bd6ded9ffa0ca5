import { isOvenError, type Principal } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import { AGENT, REGULAR } from "@oven/module-workflows";

export interface PromotionDeps {
  db: Database;
  services: ServiceMap;
}

/** @throws OvenError FORBIDDEN */
export function requireOn(principal: Principal, kind: ExecutionKind, action: "read" | "create" | "update"): void {
  requirePermission(principal, `${(kind === AGENT.kind ? AGENT : REGULAR).resource}.${action}`);
}

/** undefined: there is none that the principal may see. */
export async function orNone<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

/** One name for an item of a file. */
export function itemKey(kind: string, slug: string): string {
  return `${kind}:${slug}`;
}
