import type { Principal } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import { inArray, type SQL } from "@oven/db/drizzle";
import type { PgColumn } from "@oven/db/pg-core";
import type { Route } from "@oven/module-registry";

/** Rows of the workflows that the principal is bound to; undefined: it is bound to none in particular. */
export function boundTo(principal: Principal, kind: ExecutionKind, workflowId: PgColumn): SQL | undefined {
  const ids = boundIds(principal, kind);
  return ids === undefined ? undefined : inArray(workflowId, ids);
}

/** Whether this workflow is one of those, or the principal is bound to none in particular. */
export function isBoundTo(principal: Principal, kind: ExecutionKind, workflowId: number): boolean {
  return boundIds(principal, kind)?.includes(workflowId) ?? true;
}

function boundIds({ workflows }: Principal, kind: ExecutionKind): number[] | undefined {
  const prefix = `${kind}:`;
  return workflows?.filter((name) => name.startsWith(prefix)).map((name) => Number(name.slice(prefix.length)));
}

/** Routes about rows that `boundTo` narrows. What makes something new, or is about several at once, stays closed. */
export function keepToWorkflows(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({
    ...route,
    keepsToWorkflows: route.method === "GET" || /\/\[(id|slug)\]/.test(route.path),
  }));
}
