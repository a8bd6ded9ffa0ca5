import type { Database } from "@oven/db";
import { defineModule, type ModuleDefinition } from "@oven/module-registry";
import { seedAliases } from "./aliases/aliases.ts";
import { budgetEvents } from "./budgets/budget-exhausted.ts";
import { budgetGauge } from "./budgets/budget-gauge.ts";
import { createDocumentService } from "./documents/document-service.ts";
import { IngestWorker } from "./documents/ingest-worker.ts";
import { readRecognitionPages, recognitionVariable } from "./documents/recognition/recognition-variable.ts";
import { embedTool } from "./embeddings/embed.tool.ts";
import type { Timing } from "./limits/timing.ts";
import { menuItems, resources } from "./menu.ts";
import { aiPermissions } from "./permissions.ts";
import { personData } from "./person-data.ts";
import { seedPrices } from "./prices/list-prices.ts";
import { PROVIDERS } from "./providers/all-providers.ts";
import { toVariables } from "./providers/define-provider.ts";
import { createAliasRoutes } from "./routes/ai-aliases.routes.ts";
import { embedRoutes } from "./routes/ai-embed.routes.ts";
import { generateRoutes } from "./routes/ai-generate.routes.ts";
import { createLimitRoutes } from "./routes/ai-limits.routes.ts";
import { createProviderRoutes } from "./routes/ai-providers.routes.ts";
import { ragRoutes } from "./routes/ai-rag.routes.ts";
import { createUsageRoutes } from "./routes/ai-usage-logs.routes.ts";
import { documentRoutes } from "./routes/documents.routes.ts";
import { vectorStoreRoutes } from "./routes/vector-stores.routes.ts";
import * as schema from "./schema.ts";
import { createAiService, createProviders, type Providers } from "./service.ts";
import { createVectorStoreService } from "./vector-stores/vector-store-service.ts";

/**
 * Model providers, aliases, model calls and what they cost.
 * @param timing the clock of limits, for tests
 */
export function createAiModule(timing?: Timing): ModuleDefinition {
  let opened: { db: Database; providers: Providers } | undefined;
  let ingest: IngestWorker | undefined;
  const parts = (): { db: Database; providers: Providers } => {
    if (opened === undefined) throw new Error("module-ai was not started by a runtime");
    return opened;
  };
  const database = () => parts().db;
  return defineModule({
    name: "module-ai",
    namespace: "ai",
    description:
      "Models: providers, aliases with fall-back, text, objects, images and embeddings, vector stores, limits, budgets, guardrails, usage and cost of each call.",
    dependencies: ["module-registry"],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: aiPermissions,
    resources,
    menuItems,
    events: { emits: budgetEvents, listeners: {} },
    tools: [embedTool],
    gauges: [budgetGauge],
    personData,
    variables: [...PROVIDERS.flatMap(toVariables), recognitionVariable],
    pathAliases: {
      "ai/providers": "ai-providers",
      "ai/provider-kinds": "ai-provider-kinds",
      "ai/aliases": "ai-aliases",
      "ai/models": "ai-models",
      "ai/prices": "ai-prices",
      "ai/rate-limits": "ai-rate-limits",
      "ai/budgets": "ai-budgets",
      "ai/guardrails": "ai-guardrails",
      "ai/usage-logs": "ai-usage-logs",
      "ai/vector-stores": "vector-stores",
    },
    routes: [
      ...createAliasRoutes(database),
      ...createProviderRoutes(() => parts().providers),
      ...createLimitRoutes(database),
      ...createUsageRoutes(database),
      ...generateRoutes,
      ...embedRoutes,
      ...vectorStoreRoutes,
      ...documentRoutes,
      ...ragRoutes,
    ],
    services: async ({ db, environment, services: { outbound, events } }) => {
      const providers = createProviders(db, environment.variables, outbound);
      opened = { db, providers };
      const ai = createAiService({ db, providers, events, ...(timing === undefined ? {} : { timing }) });
      const recognitionPages = readRecognitionPages(environment.variables);
      const worker = new IngestWorker(db, ai, { recognitionPages });
      ingest = worker;
      const vectorStores = createVectorStoreService({ db, models: ai });
      const documents = createDocumentService(db, { wake: () => worker.wake(), recognitionPages });
      return { ai, vectorStores, documents };
    },
    async seed({ db }) {
      await seedAliases(db);
      await seedPrices(db);
    },
    start: async ({ environment }) => {
      if (environment.worker?.enabled !== false) ingest?.start();
    },
    stop: async () => ingest?.stop(),
  });
}
