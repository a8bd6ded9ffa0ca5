import { type InstalledModule, InstalledModuleSchema } from "@oven/contract/system";
import type { Database } from "@oven/db";
import { getTableName } from "@oven/db/drizzle";
import { z } from "zod";
import type { ModuleDefinition, Permission, RegistryView } from "./define/define-module.ts";
import { defineRoute, ok, type Route } from "./define/define-route.ts";

export const installationPermissions: Permission[] = [
  {
    id: "installation.read",
    title: "See how the installation runs: its modules, workers, queue and retention",
    roles: ["auditor"],
  },
];

export function installedModuleRoutes(deps: () => { db: Database; registry: RegistryView }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "installation/modules",
      operation: false,
      summary: "The installed modules: tables, applied migrations, permissions, routes, nodes and events",
      access: { permission: "installation.read" },
      effect: "pure",
      response: z.array(InstalledModuleSchema),
      handler: async () => {
        const { db, registry } = deps();
        return ok(await Promise.all(registry.modules().map((module) => toInstalled(db.system, module))));
      },
    }),
  ];
}

async function toInstalled(db: Database, module: ModuleDefinition): Promise<InstalledModule> {
  const { name, namespace, description, dependencies } = module;
  const applied = module.migrations === undefined ? undefined : await appliedOf(db, name);
  return {
    name,
    namespace,
    description,
    dependencies,
    tables: Object.values(module.schema).map(getTableName).sort(),
    migrations: applied?.count ?? null,
    migratedAt: applied?.at ?? null,
    permissions: module.permissions.map(({ id, title }) => ({ id, title })),
    routes: module.routes.map(({ method, path, summary, access }) => ({
      method,
      path,
      summary,
      access: typeof access === "string" ? access : access.permission,
    })),
    nodes: module.nodes.map(({ id }) => id),
    tools: module.tools.map(({ id }) => id),
    emits: Object.keys(module.events.emits),
    listensTo: Object.keys(module.events.listeners),
  };
}

/** `created_at` is the instant at which a migration was generated: how new the tables are, not when they were made. */
async function appliedOf(db: Database, module: string): Promise<{ count: number; at: string | null }> {
  // The name is the module's own, and it is in the code.
  const table = `oven_migrations_${module.replaceAll("-", "_")}`;
  const [row] = await db.query<{ count: number; at: number | null }>(
    `select count(*)::int as count, max(created_at)::float8 as at from ${table}`,
  );
  return { count: row?.count ?? 0, at: row?.at == null ? null : new Date(row.at).toISOString() };
}
