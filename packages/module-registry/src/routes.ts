import { OVEN_VERSION } from "@oven/contract";
import { z } from "zod";
import { configPermissions, configRoutes } from "./config/config.routes.ts";
import { ConfigRows } from "./config/config-rows.ts";
import { defineModule, type ModuleDefinition, type ModuleDeps, READING_ROLES } from "./define/define-module.ts";
import { defineRoute, ok } from "./define/define-route.ts";
import { eventPermissions, eventRoutes } from "./events/event.routes.ts";
import { EventLog } from "./events/event-log.ts";
import { EventRetention, eventConfigKeys } from "./events/event-retention.ts";
import { installationPermissions, installedModuleRoutes } from "./installed-modules.ts";
import { menuItems, resources } from "./menu.ts";
import { personData } from "./person-data.ts";
import { createOpenApi } from "./router/openapi.ts";
import { secretPermissions, secretRoutes } from "./secrets/secret.routes.ts";
import { storageGauges } from "./storage-gauges.ts";

const HealthSchema = z.strictObject({
  status: z.literal("ok"),
  database: z.enum(["pglite", "postgres"]),
  version: z.string(),
  /** Of the source that runs, where it is known. */
  commit: z.string().optional(),
  modules: z.array(z.string()),
});

const ModuleSchema = z.strictObject({
  name: z.string(),
  namespace: z.string(),
  description: z.string(),
  dependencies: z.array(z.string()),
  nodes: z.array(z.string()),
  tools: z.array(z.string()),
  events: z.array(z.string()),
  permissions: z.array(z.string()),
});

/** What the registry itself serves: health, the API's description, the list of modules and their configuration. */
export function createSystemModule(): ModuleDefinition {
  let deps: (ModuleDeps & { rows: ConfigRows; log: EventLog; retention: EventRetention }) | undefined;
  const ready = () => {
    if (deps === undefined) throw new Error("the system module was not started by a runtime");
    return deps;
  };
  return defineModule({
    name: "module-registry",
    namespace: "system",
    description: "Health, the description of the API, the list of modules and their configuration.",
    dependencies: [],
    permissions: [
      { id: "system.read", title: "See modules and nodes", roles: [...READING_ROLES, "reviewer"] },
      ...configPermissions,
      ...secretPermissions,
      ...eventPermissions,
      ...installationPermissions,
    ],
    configSchema: eventConfigKeys,
    gauges: storageGauges,
    personData,
    resources,
    menuItems,
    services: async (given) => {
      const { db, registry, services } = given;
      deps = {
        ...given,
        rows: new ConfigRows(db, registry, services.config),
        log: new EventLog({ db, registry, services }),
        retention: new EventRetention(db.system, services.config),
      };
      return {};
    },
    start: async ({ services, environment }) => {
      if (environment.worker?.enabled !== false) ready().retention.start();
      if ((environment.previousSecrets ?? []).length > 0) await services.secrets.rotate();
    },
    stop: async () => {
      await ready().retention.stop();
    },
    routes: [
      defineRoute({
        method: "GET",
        path: "health",
        operation: false,
        summary: "Whether the server and its database answer, and there is room to write",
        access: "public",
        response: HealthSchema,
        handler: async () => {
          const { db, registry, environment } = ready();
          await db.query("select 1 as one");
          await db.system.probeStorage();
          return ok({
            status: "ok",
            database: db.dialect,
            version: OVEN_VERSION,
            ...(environment.commit === undefined ? {} : { commit: environment.commit }),
            modules: registry.modules().map(({ name }) => name),
          });
        },
      }),
      defineRoute({
        method: "GET",
        path: "openapi.json",
        operation: false,
        summary: "This API as OpenAPI 3.1",
        access: "session",
        handler: async () => ok(createOpenApi(ready().registry.routes(), ready().environment.publicUrl)),
      }),
      ...configRoutes(ready),
      ...secretRoutes,
      ...eventRoutes(ready),
      ...installedModuleRoutes(ready),
      defineRoute({
        method: "GET",
        path: "modules",
        operation: false,
        summary: "The registered modules and what each brings",
        access: { permission: "system.read" },
        response: z.array(ModuleSchema),
        handler: async () =>
          ok(
            ready()
              .registry.modules()
              .map((module) => ({
                name: module.name,
                namespace: module.namespace,
                description: module.description,
                dependencies: module.dependencies,
                nodes: module.nodes.map(({ id }) => id),
                tools: module.tools.map(({ id }) => id),
                events: Object.keys(module.events.emits),
                permissions: module.permissions.map(({ id }) => id),
              })),
          ),
      }),
    ],
  });
}
