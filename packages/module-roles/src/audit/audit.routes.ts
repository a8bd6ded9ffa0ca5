import type { ListParams, Principal } from "@oven/contract";
import { type AuditEntry, AuditEntrySchema } from "@oven/contract/access";
import type { Database } from "@oven/db";
import { and, gte, lt, type SQL } from "@oven/db/drizzle";
import {
  defineRoute,
  invalidListQuery,
  ListQuerySchema,
  listReply,
  listRows,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { auditLog } from "../schema.ts";
import { toCsvHead, toCsvRow } from "./csv.ts";

const FIELDS = {
  id: auditLog.id,
  at: auditLog.at,
  action: auditLog.action,
  outcome: auditLog.outcome,
  actorKind: auditLog.actorKind,
  userId: auditLog.userId,
  keyId: auditLog.keyId,
  targetType: auditLog.targetType,
  targetId: auditLog.targetId,
  address: auditLog.address,
};
const PAGE = 1_000;
const MOST_EXPORTED = 1_000_000;

/** Reading the audit log. Nothing here changes it, and nothing can. */
export function auditRoutes(deps: () => { db: Database }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "audit-log",
      operation: false,
      summary: "Who did what, newest first unless sorted otherwise",
      description: "Filters besides the fields: `from` and `to`, instants; `q` looks into action, target and address.",
      access: { permission: "audit.read" },
      query: ListQuerySchema,
      response: z.array(AuditEntrySchema),
      handler: async ({ query, principal }) => {
        const params = toListParams(query);
        if (query.sort === undefined && query._sort === undefined) params.sort = { field: "id", order: "DESC" };
        const { rows, total } = await read(deps().db, principal, params);
        return listReply("audit-log", params, rows, total);
      },
    }),
    defineRoute({
      method: "GET",
      path: "audit-log/export",
      operation: false,
      summary: "The audit log as CSV or JSON, oldest first; the export itself is written down",
      access: { permission: "audit.read" },
      query: z.object({ format: z.enum(["csv", "json"]), filter: z.string().optional() }),
      effect: "at-least-once",
      handler: async ({ query, principal }) => {
        const { filter } = toListParams({ filter: query.filter });
        const pages = readAll(deps().db, principal, filter);
        // The first page before the answer begins: a filter that is wrong is still refused.
        const first = await pages.next();
        const body = ReadableStream.from(
          query.format === "csv" ? toCsv(first, pages) : toJsonArray(first, pages),
        ).pipeThrough(new TextEncoderStream());
        return new Response(body, {
          headers: {
            "content-type": query.format === "csv" ? "text/csv; charset=utf-8" : "application/json; charset=utf-8",
            "content-disposition": `attachment; filename="audit-log.${query.format}"`,
          },
        });
      },
    }),
  ];
}

async function read(
  db: Database,
  principal: Principal,
  params: ListParams,
): Promise<{ rows: AuditEntry[]; total: number }> {
  const { from, to, ...filter } = params.filter;
  const where = and(
    ...instant("from", from, (at) => gte(auditLog.at, at)),
    ...instant("to", to, (at) => lt(auditLog.at, at)),
  );
  const { rows, total } = await listRows(
    db.orm,
    principal,
    { ...params, filter },
    {
      table: auditLog,
      fields: FIELDS,
      search: [auditLog.action, auditLog.targetType, auditLog.targetId, auditLog.address],
      tenant: auditLog.tenantId,
      ...(where === undefined ? {} : { where }),
    },
  );
  return { rows: rows.map(toEntry), total };
}

function instant(name: string, value: unknown, condition: (at: Date) => SQL): SQL[] {
  if (value === undefined) return [];
  const at = typeof value === "string" ? new Date(value) : undefined;
  if (at === undefined || Number.isNaN(at.getTime())) {
    throw invalidListQuery("filter", `takes instants such as 2026-01-31T12:00:00Z for \`${name}\``);
  }
  return [condition(at)];
}

type Pages = AsyncGenerator<AuditEntry[], void>;
type First = IteratorResult<AuditEntry[], void>;

/** Page by page: a log of a million rows is never in memory at once. */
async function* readAll(db: Database, principal: Principal, filter: Record<string, unknown>): Pages {
  for (let first = 0; first < MOST_EXPORTED; first += PAGE) {
    const range = { first, last: first + PAGE - 1 };
    const { rows } = await read(db, principal, { sort: { field: "id", order: "ASC" }, range, filter });
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
  }
}

async function* resumed(first: First, rest: Pages): Pages {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

async function* toCsv(first: First, rest: Pages): AsyncGenerator<string> {
  yield toCsvHead();
  for await (const rows of resumed(first, rest)) yield rows.map(toCsvRow).join("");
}

async function* toJsonArray(first: First, rest: Pages): AsyncGenerator<string> {
  let before = "[";
  for await (const rows of resumed(first, rest)) {
    yield `${before}${rows.map((row) => JSON.stringify(row)).join(",\n")}`;
    before = ",\n";
  }
  yield before === "[" ? "[]\n" : "]\n";
}

function toEntry({ at, ...row }: typeof auditLog.$inferSelect): AuditEntry {
  return { ...row, at: at.toISOString() } as AuditEntry; // cast: outcome and actorKind are written from AuditRecord only
}
