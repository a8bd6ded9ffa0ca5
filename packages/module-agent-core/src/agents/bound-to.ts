import type { Principal } from "@oven/contract";
import { inArray, type SQL } from "@oven/db/drizzle";
import type { PgColumn } from "@oven/db/pg-core";
import type { Route } from "@oven/module-registry";

/** Rows of the agents that the principal is bound to; undefined: it is bound to nothing in particular. */
export function boundTo({ workflows, agents = [] }: Principal, agentId: PgColumn): SQL | undefined {
  return workflows === undefined ? undefined : inArray(agentId, agents);
}

/** Whether this agent is one of those, or the principal is bound to nothing in particular. */
export function isBoundTo({ workflows, agents = [] }: Principal, agentId: number): boolean {
  return workflows === undefined || agents.includes(agentId);
}

/** Routes about rows that `boundTo` narrows. */
export function keepToAgents(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, keepsToWorkflows: route.method === "GET" || route.path.includes("[") }));
}
