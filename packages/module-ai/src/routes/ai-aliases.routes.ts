import { isOvenError, type ModelAlias, ModelAliasSchema, SHARED_TENANT, UpdateModelAliasSchema } from "@oven/contract";
import type { Database } from "@oven/db";
import {
  defineRoute,
  ListQuerySchema,
  listReply,
  listRows,
  ok,
  type Route,
  type ServiceMap,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { type AliasRow, updateAlias } from "../aliases/aliases.ts";
import { aiAliases } from "../tables/ai-aliases.table.ts";

const PERMISSIONS = { read: "ai-aliases.read", update: "ai-aliases.update" };

export function createAliasRoutes(database: () => Database): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "ai-aliases",
      operation: "aliases.list",
      summary: "List model aliases and what each stands for now",
      access: { permission: PERMISSIONS.read },
      query: ListQuerySchema,
      response: z.array(ModelAliasSchema),
      effect: "pure",
      async handler({ query, principal, services }) {
        const params = toListParams(query);
        const { id, tenantId, name, model, createdAt } = aiAliases;
        const listing = {
          table: aiAliases,
          fields: { id, name, model, createdAt },
          search: [name, model],
          tenant: tenantId,
        };
        const { rows, total } = await listRows(database().orm, principal, params, listing);
        // cast: `listRows` selects whole rows of the table it is given
        const aliases = await Promise.all(
          (rows as AliasRow[]).map((row) => toAlias(row, services, principal.tenantId)),
        );
        return listReply("ai-aliases", params, aliases, total);
      },
    }),
    defineRoute({
      method: "PUT",
      path: "ai-aliases/[id]",
      operation: "aliases.update",
      summary: "Change what a model alias stands for",
      description: "Runs that start or go on afterwards use the new model at their next model call.",
      access: { permission: PERMISSIONS.update },
      params: z.strictObject({ id: z.coerce.number().int().positive() }),
      body: UpdateModelAliasSchema,
      response: ModelAliasSchema,
      effect: "idempotent",
      async handler({ params, body, principal, services }) {
        if (body.model !== undefined && body.model !== "auto")
          await services.ai.resolve(body.model, principal.tenantId);
        const row = await updateAlias(database(), principal.tenantId, params.id, body);
        return ok(await toAlias(row, services, principal.tenantId));
      },
    }),
  ];
}

async function toAlias(row: AliasRow, services: ServiceMap, tenantId: number): Promise<ModelAlias> {
  return {
    id: row.id,
    tenantId: row.tenantId === SHARED_TENANT ? null : row.tenantId,
    name: row.name,
    model: row.model,
    settings: row.settings,
    ...(await resolution(row.name, services, tenantId)),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

async function resolution(
  name: string,
  services: ServiceMap,
  tenantId: number,
): Promise<Pick<ModelAlias, "resolvesTo" | "problem">> {
  try {
    return { resolvesTo: await services.ai.resolve(name, tenantId), problem: null };
  } catch (error) {
    // An alias that resolves to nothing is still listed, with the reason: it can be put right there.
    if (isOvenError(error)) return { resolvesTo: null, problem: error.message };
    throw error;
  }
}
