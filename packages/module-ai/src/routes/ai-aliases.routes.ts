import { isOvenError, SHARED_TENANT } from "@oven/contract";
import { CreateModelAliasSchema, type ModelAlias, ModelAliasSchema, UpdateModelAliasSchema } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  listRows,
  noContent,
  ok,
  type Route,
  type ServiceMap,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { type AliasRow, AUTO, chainOf, createAlias, deleteAlias, getAlias, updateAlias } from "../aliases/aliases.ts";
import { mayFallBack } from "../aliases/resolve-model.ts";
import { aiAliases } from "../tables/ai-aliases.table.ts";

const Params = z.strictObject({ id: z.coerce.number().int().positive() });

export function createAliasRoutes(database: () => Database): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "ai-aliases",
      operation: "aliases.list",
      summary: "List model aliases and what each stands for now",
      access: { permission: "ai-aliases.read" },
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
        const aliases = await Promise.all(rows.map((row) => toAlias(row, services, principal.tenantId)));
        return listReply("ai-aliases", params, aliases, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "ai-aliases",
      operation: "aliases.create",
      summary: "Make a model alias",
      description:
        "`models` is a chain: the next one is asked when a model is down, has too many requests or is too slow.",
      access: { permission: "ai-aliases.create" },
      body: CreateModelAliasSchema,
      response: ModelAliasSchema,
      effect: "at-least-once",
      async handler({ body, principal, services }) {
        await checkModels(body.models ?? [body.model ?? AUTO], services, principal.tenantId);
        const row = await createAlias(database(), principal.tenantId, body);
        return created(await toAlias(row, services, principal.tenantId));
      },
    }),
    defineRoute({
      method: "GET",
      path: "ai-aliases/[id]",
      operation: "aliases.get",
      summary: "Get a model alias and what it stands for now",
      access: { permission: "ai-aliases.read" },
      params: Params,
      response: ModelAliasSchema,
      effect: "pure",
      async handler({ params, principal, services }) {
        const row = await getAlias(database(), principal.tenantId, params.id);
        return ok(await toAlias(row, services, principal.tenantId));
      },
    }),
    defineRoute({
      method: "PUT",
      path: "ai-aliases/[id]",
      operation: "aliases.update",
      summary: "Change what a model alias stands for",
      description: "Runs that start or go on afterwards use the new model at their next model call.",
      access: { permission: "ai-aliases.update" },
      params: Params,
      body: UpdateModelAliasSchema,
      response: ModelAliasSchema,
      effect: "idempotent",
      async handler({ params, body, principal, services }) {
        await checkModels(chainOf(body) ?? [], services, principal.tenantId);
        const row = await updateAlias(database(), principal.tenantId, params.id, body);
        return ok(await toAlias(row, services, principal.tenantId));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "ai-aliases/[id]",
      operation: "aliases.delete",
      summary: "Delete a model alias",
      description: "Workflows that name it fail from then on: no other model is taken in its place.",
      access: { permission: "ai-aliases.delete" },
      params: Params,
      effect: "at-least-once",
      async handler({ params, principal }) {
        await deleteAlias(database(), principal.tenantId, params.id);
        return noContent();
      },
    }),
  ];
}

/**
 * One of them must be callable now. The others may be away, but not misspelt.
 * @throws OvenError MODEL_UNKNOWN, MODEL_PROVIDER_NOT_CONFIGURED, MODEL_UNAVAILABLE
 */
async function checkModels(models: readonly string[], { ai }: ServiceMap, tenantId: number): Promise<void> {
  const away: unknown[] = [];
  for (const model of models) {
    try {
      if (model !== AUTO) await ai.resolve(model, tenantId);
    } catch (error) {
      if (!mayFallBack(error)) throw error;
      away.push(error);
    }
  }
  if (away.length > 0 && away.length === models.length) throw away[0];
}

async function toAlias(row: AliasRow, services: ServiceMap, tenantId: number): Promise<ModelAlias> {
  return {
    id: row.id,
    tenantId: row.tenantId === SHARED_TENANT ? null : row.tenantId,
    name: row.name,
    model: row.model,
    models: [row.model, ...row.fallbacks],
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
