import type { ExecutionKind, Principal } from "@oven/contract";
import type { Route } from "@oven/module-registry";
import { inArray, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

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
