import type { ListParams, Principal } from "@oven/contract";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";

interface RowResource {
  /** Path and resource: `ai-budgets`. */
  path: string;
  /** First part of the operations: `budgets`. */
  operation: string;
  /** As sentences name them: `budget`, `budgets`. */
  one: string;
  many: string;
  view: z.ZodType;
  create: z.ZodType<Record<string, unknown>>;
  update: z.ZodType<Record<string, unknown>>;
  /** Fills in what a new row was given no value for. */
  complete?: (values: Record<string, unknown>) => Record<string, unknown>;
  rows: () => {
    list(principal: Principal, params: ListParams): Promise<{ rows: unknown[]; total: number }>;
    get(principal: Principal, id: number): Promise<unknown>;
    create(principal: Principal, values: Record<string, unknown>): Promise<unknown>;
    update(principal: Principal, id: number, values: Record<string, unknown>): Promise<unknown>;
    delete(principal: Principal, id: number): Promise<void>;
  };
}

const Params = z.object({ id: z.coerce.number().int().positive() });

/**
 * The five routes of a kind of rows that tenants set up. Those that change something are no operations: what limits
 * workflows and agents is not for them to change.
 */
export function rowRoutes(resource: RowResource): Route[] {
  const { path, operation, one, many, view, create, update, rows, complete = (values) => values } = resource;
  const READ = { permission: `${path}.read` };
  const item = `${path}/[id]`;
  return [
    defineRoute({
      method: "GET",
      path,
      operation: `${operation}.list`,
      summary: `List ${many}`,
      access: READ,
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(view),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const listed = await rows().list(principal, params);
        return listReply(path, params, listed.rows, listed.total);
      },
    }),
    defineRoute({
      method: "POST",
      path,
      operation: false,
      summary: `Make a ${one}`,
      access: { permission: `${path}.create` },
      effect: "at-least-once",
      body: create,
      response: view,
      handler: async ({ principal, body }) => created(await rows().create(principal, complete(withoutReadOnly(body)))),
    }),
    defineRoute({
      method: "GET",
      path: item,
      operation: `${operation}.get`,
      summary: `Get a ${one}`,
      access: READ,
      effect: "pure",
      params: Params,
      response: view,
      handler: async ({ principal, params }) => ok(await rows().get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: item,
      operation: false,
      summary: `Change a ${one}`,
      access: { permission: `${path}.update` },
      effect: "idempotent",
      params: Params,
      body: update,
      response: view,
      handler: async ({ principal, params, body }) =>
        ok(await rows().update(principal, params.id, withoutReadOnly(body))),
    }),
    defineRoute({
      method: "DELETE",
      path: item,
      operation: false,
      summary: `Delete a ${one}`,
      access: { permission: `${path}.delete` },
      effect: "at-least-once",
      params: Params,
      handler: async ({ principal, params }) => {
        await rows().delete(principal, params.id);
        return noContent();
      },
    }),
  ];
}

/** A client may send whole rows back. */
function withoutReadOnly(body: Record<string, unknown>): Record<string, unknown> {
  const { id: _id, tenantId: _tenantId, createdAt: _createdAt, updatedAt: _updatedAt, ...values } = body;
  return values;
}
