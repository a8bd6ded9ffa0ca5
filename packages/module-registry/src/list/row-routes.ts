import type { ListParams, Principal } from "@oven/contract";
import { z } from "zod";
import { created, defineRoute, noContent, ok, type Route } from "../define/define-route.ts";
import type { ServiceMap } from "../define/services.ts";
import { ListQuerySchema, listReply, toListParams } from "./list-query.ts";

/** What the five routes ask; each method sees only what its principal may. */
export interface RowService<Id, New, Change> {
  list(principal: Principal, params: ListParams): Promise<{ rows: readonly unknown[]; total: number }>;
  create(principal: Principal, values: New): Promise<unknown>;
  /** @throws OvenError NOT_FOUND */
  get(principal: Principal, id: Id): Promise<unknown>;
  /** @throws OvenError NOT_FOUND */
  update(principal: Principal, id: Id, values: Change): Promise<unknown>;
  /** @throws OvenError NOT_FOUND */
  delete(principal: Principal, id: Id): Promise<void>;
}

export interface RowResource<Id, New, Change> {
  /** `event-wirings`: the path, and the name in `Content-Range`. */
  path: string;
  /** `wirings` makes `wirings.list` and so on; false: none is an operation. */
  operation: string | false;
  /** What holds for the three that change something. */
  changes?: Pick<Route, "needsApproval" | "delegates"> | { operation: false };
  /** Id of the permission that each takes. */
  permission(action: "read" | "create" | "update" | "delete"): string;
  summaries: Record<"list" | "create" | "get" | "update" | "delete", string>;
  params: z.ZodType<{ id: Id }>;
  row: z.ZodType;
  create: z.ZodType<New>;
  update: z.ZodType<Change>;
  /** Asked for at each call. */
  rows(services: ServiceMap): RowService<Id, New, Change>;
}

/**
 * The routes of rows that people set up: list, create, get, update and delete.
 * @returns them in this order, so that others can stand between them
 */
export function rowRoutes<Id, New, Change>(
  resource: RowResource<Id, New, Change>,
): [list: Route, create: Route, get: Route, update: Route, remove: Route] {
  const { path, operation, changes = {}, permission, summaries, params, row, create, update, rows } = resource;
  const item = `${path}/[id]`;
  const read = { permission: permission("read") };
  const named = (action: string) => (operation === false ? operation : `${operation}.${action}`);
  return [
    defineRoute({
      method: "GET",
      path,
      operation: named("list"),
      summary: summaries.list,
      access: read,
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(row),
      handler: async ({ principal, query, services }) => {
        const asked = toListParams(query);
        const listed = await rows(services).list(principal, asked);
        return listReply(path, asked, listed.rows, listed.total);
      },
    }),
    defineRoute({
      method: "POST",
      path,
      operation: named("create"),
      ...changes,
      summary: summaries.create,
      access: { permission: permission("create") },
      effect: "at-least-once",
      body: create,
      response: row,
      handler: async ({ principal, body, services }) => created(await rows(services).create(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: item,
      operation: named("get"),
      summary: summaries.get,
      access: read,
      effect: "pure",
      params,
      response: row,
      handler: async ({ principal, params: { id }, services }) => ok(await rows(services).get(principal, id)),
    }),
    defineRoute({
      method: "PUT",
      path: item,
      operation: named("update"),
      ...changes,
      summary: summaries.update,
      access: { permission: permission("update") },
      effect: "idempotent",
      params,
      body: update,
      response: row,
      handler: async ({ principal, params: { id }, body, services }) =>
        ok(await rows(services).update(principal, id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: item,
      operation: named("delete"),
      ...changes,
      summary: summaries.delete,
      access: { permission: permission("delete") },
      effect: "at-least-once",
      params,
      handler: async ({ principal, params: { id }, services }) => {
        await rows(services).delete(principal, id);
        return noContent();
      },
    }),
  ];
}
