import type { Database } from "@oven/db";
import { defineModule, type ModuleDefinition } from "@oven/module-registry";
import { seedAliases } from "./aliases/aliases.ts";
import { aiPermissions } from "./permissions.ts";
import { createAliasRoutes } from "./routes/ai-aliases.routes.ts";
import { modelRoutes } from "./routes/ai-models.routes.ts";
import { createUsageRoutes } from "./routes/ai-usage-logs.routes.ts";
import * as schema from "./schema.ts";
import { createAiService } from "./service.ts";

/** Model providers, aliases, model calls and what they cost. */
export function createAiModule(): ModuleDefinition {
  let opened: Database | undefined;
  const database = (): Database => {
    if (opened === undefined) throw new Error("module-ai was not started by a runtime");
    return opened;
  };
  return defineModule({
    name: "module-ai",
    namespace: "ai",
    description:
      "Language models: providers, aliases, text generation with tools and streaming, usage and cost of each call.",
    dependencies: ["module-registry"],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: aiPermissions,
    resources: [
      { name: "ai-aliases", title: "Model aliases" },
      { name: "ai-usage-logs", title: "Model usage" },
    ],
    menuItems: [
      { section: "AI", title: "Model aliases", to: "/ai-aliases" },
      { section: "AI", title: "Usage", to: "/ai-usage-logs" },
    ],
    routes: [...createAliasRoutes(database), ...createUsageRoutes(database), ...modelRoutes],
    services: async ({ db, environment }) => {
      opened = db;
      return { ai: createAiService(db, environment) };
    },
    seed: ({ db }) => seedAliases(db),
  });
}
