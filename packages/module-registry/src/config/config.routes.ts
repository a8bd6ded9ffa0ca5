import {
  ConfigCascadeSchema,
  CreateModuleConfigSchema,
  ModuleConfigSchema,
  ResolveConfigBatchQuerySchema,
  ResolveConfigQuerySchema,
  type ResolvedConfig,
  ResolvedConfigSchema,
  UpdateModuleConfigSchema,
} from "@oven/contract/system";
import { z } from "zod";
import type { Permission, RegistryView } from "../define/define-module.ts";
import { created, defineRoute, noContent, ok, type Route } from "../define/define-route.ts";
import { ListQuerySchema, listReply, toListParams } from "../list/list-query.ts";
import { configKeysOf, findConfigKey } from "./config-keys.ts";
import type { ConfigRows } from "./config-rows.ts";

const READ = { permission: "config.read" };
const UPDATE = { permission: "config.update" };
const Params = z.object({ id: z.coerce.number().int().positive() });

export const configPermissions: Permission[] = [
  { id: "config.read", title: "See configuration", roles: ["auditor"] },
  { id: "config.update", title: "Change configuration" },
  { id: "config.platform", title: "Change configuration of the whole installation" },
];

export function configRoutes(deps: () => { rows: ConfigRows; registry: RegistryView }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "module-configs",
      operation: "moduleConfigs.list",
      summary: "List configuration values that differ from the defaults",
      access: READ,
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(ModuleConfigSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().rows.list(principal, params);
        return listReply("module-configs", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "module-configs",
      operation: "moduleConfigs.create",
      mayNeed: ["config.platform"],
      summary: "Set a configuration value for a module or one of its instances",
      access: UPDATE,
      effect: "at-least-once",
      needsApproval: true,
      body: CreateModuleConfigSchema,
      response: ModuleConfigSchema,
      handler: async ({ principal, body }) => created(await deps().rows.create(principal, body)),
    }),
    // Before [id]: the first route that fits is taken.
    defineRoute({
      method: "GET",
      path: "module-configs/resolve",
      operation: "moduleConfigs.resolve",
      summary: "The value that holds for you, and where it comes from",
      access: READ,
      effect: "pure",
      query: ResolveConfigQuerySchema,
      response: ResolvedConfigSchema,
      handler: async ({ principal, query, services }) =>
        ok(
          await services.config.resolve({
            module: query.moduleName,
            key: query.key,
            tenantId: principal.tenantId,
            instance: query.scopeId,
          }),
        ),
    }),
    defineRoute({
      method: "GET",
      path: "module-configs/cascade",
      operation: false,
      summary: "Every configuration key with its default, the values stored for it, and which of them holds for you",
      access: READ,
      effect: "pure",
      response: z.array(ConfigCascadeSchema),
      handler: async ({ principal }) => ok(await deps().rows.cascades(principal)),
    }),
    defineRoute({
      method: "GET",
      path: "module-configs/resolve-batch",
      operation: "moduleConfigs.resolveBatch",
      summary: "The values of several keys of a module, by key",
      description:
        "`keys` is comma-separated; without it every key is answered. `scopeId` counts for keys that have instances.",
      access: READ,
      effect: "pure",
      query: ResolveConfigBatchQuerySchema,
      response: z.record(z.string(), ResolvedConfigSchema),
      handler: async ({ principal, query, services }) => {
        const { registry } = deps();
        const { moduleName, scopeId } = query;
        const declared =
          query.keys === undefined
            ? configKeysOf(registry, moduleName)
            : query.keys.split(",").map((key) => findConfigKey(registry, moduleName, key.trim()));
        const resolved: [string, ResolvedConfig][] = await Promise.all(
          declared.map(async ({ key, instances }) => {
            const instance = instances === undefined ? undefined : scopeId;
            const request = { module: moduleName, key, tenantId: principal.tenantId, instance };
            return [key, await services.config.resolve(request)];
          }),
        );
        return ok(Object.fromEntries(resolved));
      },
    }),
    defineRoute({
      method: "GET",
      path: "module-configs/[id]",
      operation: "moduleConfigs.get",
      summary: "Get a configuration value",
      access: READ,
      effect: "pure",
      params: Params,
      response: ModuleConfigSchema,
      handler: async ({ principal, params }) => ok(await deps().rows.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "module-configs/[id]",
      operation: "moduleConfigs.update",
      mayNeed: ["config.platform"],
      summary: "Change a configuration value",
      access: UPDATE,
      effect: "idempotent",
      needsApproval: true,
      params: Params,
      body: UpdateModuleConfigSchema,
      response: ModuleConfigSchema,
      handler: async ({ principal, params, body }) => ok(await deps().rows.update(principal, params.id, body.value)),
    }),
    defineRoute({
      method: "DELETE",
      path: "module-configs/[id]",
      operation: "moduleConfigs.delete",
      mayNeed: ["config.platform"],
      summary: "Remove a configuration value: what is weaker holds again",
      access: UPDATE,
      effect: "at-least-once",
      needsApproval: true,
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().rows.delete(principal, params.id);
        return noContent();
      },
    }),
  ];
}
