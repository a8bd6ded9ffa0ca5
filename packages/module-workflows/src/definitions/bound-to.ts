import type { ExecutionKind, Principal } from "@oven/contract";
import { inArray, type SQL } from "@oven/db/drizzle";
import type { PgColumn } from "@oven/db/pg-core";
import type { Route } from "@oven/module-registry";

/** Rows of the workflows that the principal is bound to; undefined: it is bound to none in particular. */
export function boundTo({ workflows }: Principal, kind: ExecutionKind, workflowId: PgColumn): SQL | undefined {
  if (workflows === undefined) return undefined;
  const prefix = `${kind}:`;
  return inArray(
    workflowId,
    workflows.filter((name) => name.startsWith(prefix)).map((name) => Number(name.slice(prefix.length))),
  );
}

/** Routes about rows that `boundTo` narrows. What makes something new, or is about several at once, stays closed. */
export function keepToWorkflows(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({
    ...route,
    keepsToWorkflows: route.method === "GET" || /\/\[(id|slug)\]/.test(route.path),
  }));
}
