import type { Database } from "@oven/db";
import { defineModule, type ModuleDefinition } from "@oven/module-registry";
import { seedAliases } from "./aliases/aliases.ts";
import type { Timing } from "./limits/timing.ts";
import { aiPermissions } from "./permissions.ts";
import { seedPrices } from "./prices/list-prices.ts";
import { createAliasRoutes } from "./routes/ai-aliases.routes.ts";
import { generateRoutes } from "./routes/ai-generate.routes.ts";
import { createLimitRoutes } from "./routes/ai-limits.routes.ts";
import { createProviderRoutes } from "./routes/ai-providers.routes.ts";
import { createUsageRoutes } from "./routes/ai-usage-logs.routes.ts";
import * as schema from "./schema.ts";
import { createAiService, createProviders, type Providers } from "./service.ts";

/**
 * Model providers, aliases, model calls and what they cost.
 * @param timing the clock of limits, for tests
 */
export function createAiModule(timing?: Timing): ModuleDefinition {
  let opened: { db: Database; providers: Providers } | undefined;
  const parts = (): { db: Database; providers: Providers } => {
    if (opened === undefined) throw new Error("module-ai was not started by a runtime");
    return opened;
  };
  const database = () => parts().db;
  return defineModule({
    name: "module-ai",
    namespace: "ai",
    description:
      "Models: providers, aliases with fall-back, text, objects and images, limits, budgets, guardrails, usage and cost of each call.",
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
    routes: [
      ...createAliasRoutes(database),
      ...createProviderRoutes(() => parts().providers),
      ...createLimitRoutes(database),
      ...createUsageRoutes(database),
      ...generateRoutes,
    ],
    services: async ({ db, environment, services: { outbound } }) => {
      const providers = createProviders(db, environment, outbound);
      opened = { db, providers };
      return { ai: createAiService({ db, providers, ...(timing === undefined ? {} : { timing }) }) };
    },
    async seed({ db }) {
      await seedAliases(db);
      await seedPrices(db);
    },
  });
}
