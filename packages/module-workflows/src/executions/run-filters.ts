import { type SQL, sql } from "@oven/db/drizzle";
import { invalidListQuery } from "@oven/module-registry";
import type { RunTables } from "../tables/run-tables.ts";

/**
 * Takes the filters of runs that are not columns out of a list's filter: `durationMs_gte` and `durationMs_lte` (until now, for a run that has
 * not ended), `input` (words in it), and `caller` (`user:3`, `api-key:5`, `system`). `readsAll`: no index serves the filter.
 * @throws OvenError INVALID_LIST_QUERY
 */
export function takeRunFilters(
  { durationMs_gte, durationMs_lte, input, caller, ...filter }: Record<string, unknown>,
  { executions }: Pick<RunTables, "executions">,
): { filter: Record<string, unknown>; where: SQL[]; readsAll: boolean } {
  const { startedAt, completedAt, triggeredBy } = executions;
  const duration = sql`extract(epoch from coalesce(${completedAt}, now()) - ${startedAt}) * 1000`;
  const where: SQL[] = [];
  if (durationMs_gte !== undefined) where.push(sql`${duration} >= ${toMs("durationMs_gte", durationMs_gte)}`);
  if (durationMs_lte !== undefined) where.push(sql`${duration} <= ${toMs("durationMs_lte", durationMs_lte)}`);
  if (input !== undefined) {
    if (typeof input !== "string") throw invalidListQuery("filter", "takes text for `input`");
    where.push(sql`${executions.input}::text ilike ${`%${input.replace(/[\\%_]/g, "\\$&")}%`}`);
  }
  if (caller !== undefined) {
    const [, kind, id] = /^(user|api-key|system)(?::([1-9]\d{0,15}))?$/.exec(String(caller)) ?? [];
    if (kind === undefined) throw invalidListQuery("filter", "takes `user:3`, `api-key:5` or `system` for `caller`");
    where.push(sql`${triggeredBy} ->> 'kind' = ${kind}`);
    if (id !== undefined) where.push(sql`${triggeredBy} ->> 'id' = ${id}`);
  }
  return { filter, where, readsAll: input !== undefined };
}

function toMs(key: string, value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw invalidListQuery("filter", `takes milliseconds for \`${key}\``);
}
