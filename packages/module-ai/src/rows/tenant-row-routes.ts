import { type Route, type RowService, rowRoutes } from "@oven/module-registry";
import { z } from "zod";

type Values = Record<string, unknown>;

interface TenantResource {
  /** Path and resource: `ai-budgets`. */
  path: string;
  /** First part of the operations: `budgets`. */
  operation: string;
  /** As sentences name them: `budget`, `budgets`. */
  one: string;
  many: string;
  view: z.ZodType;
  create: z.ZodType<Values>;
  update: z.ZodType<Values>;
  /** Fills in what a new row was given no value for. */
  complete?: (values: Values) => Values;
  rows: () => RowService<number, Values, Values>;
}

/**
 * The five routes of a kind of rows that tenants set up. Those that change something are no operations: what limits
 * workflows and agents is not for them to change.
 */
export function tenantRowRoutes(resource: TenantResource): Route[] {
  const { path, operation, one, many, view, create, update, rows, complete = (values) => values } = resource;
  return rowRoutes({
    ...{ path, operation, create, update },
    changes: { operation: false },
    permission: (action) => `${path}.${action}`,
    summaries: {
      list: `List ${many}`,
      create: `Make a ${one}`,
      get: `Get a ${one}`,
      update: `Change a ${one}`,
      delete: `Delete a ${one}`,
    },
    params: z.object({ id: z.coerce.number().int().positive() }),
    row: view,
    rows: () => {
      const service = rows();
      return {
        list: (principal, params) => service.list(principal, params),
        create: (principal, values) => service.create(principal, complete(withoutReadOnly(values))),
        get: (principal, id) => service.get(principal, id),
        update: (principal, id, values) => service.update(principal, id, withoutReadOnly(values)),
        delete: (principal, id) => service.delete(principal, id),
      };
    },
  });
}

/** A client may send whole rows back. */
function withoutReadOnly(body: Values): Values {
  const { id: _id, tenantId: _tenantId, createdAt: _createdAt, updatedAt: _updatedAt, ...values } = body;
  return values;
}
