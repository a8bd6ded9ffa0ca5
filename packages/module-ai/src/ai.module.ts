import type { Database } from "@oven/db";
import { defineModule, type ModuleDefinition } from "@oven/module-registry";
import { seedAliases } from "./aliases/aliases.ts";
import { createDocumentService } from "./documents/document-service.ts";
import { IngestWorker } from "./documents/ingest-worker.ts";
import { embedTool } from "./embeddings/embed.tool.ts";
import { aiPermissions } from "./permissions.ts";
import { createAliasRoutes } from "./routes/ai-aliases.routes.ts";
import { embedRoutes } from "./routes/ai-embed.routes.ts";
import { modelRoutes } from "./routes/ai-models.routes.ts";
import { ragRoutes } from "./routes/ai-rag.routes.ts";
import { createUsageRoutes } from "./routes/ai-usage-logs.routes.ts";
import { documentRoutes } from "./routes/documents.routes.ts";
import { vectorStoreRoutes } from "./routes/vector-stores.routes.ts";
import * as schema from "./schema.ts";
import { createAiService } from "./service.ts";
import { createVectorStoreService } from "./vector-stores/vector-store-service.ts";

/** Model providers, aliases, model calls and what they cost. */
export function createAiModule(): ModuleDefinition {
  let opened: Database | undefined;
  let ingest: IngestWorker | undefined;
  const database = (): Database => {
    if (opened === undefined) throw new Error("module-ai was not started by a runtime");
    return opened;
  };
  return defineModule({
    name: "module-ai",
    namespace: "ai",
    description:
      "Models: providers, aliases, text generation with tools and streaming, embeddings, vector stores, usage and cost.",
    dependencies: ["module-registry"],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: aiPermissions,
    resources: [
      { name: "ai-aliases", title: "Model aliases" },
      { name: "ai-usage-logs", title: "Model usage" },
      { name: "vector-stores", title: "Vector stores" },
    ],
    menuItems: [
      { section: "AI", title: "Model aliases", to: "/ai-aliases" },
      { section: "AI", title: "Usage", to: "/ai-usage-logs" },
    ],
    tools: [embedTool],
    routes: [
      ...createAliasRoutes(database),
      ...createUsageRoutes(database),
      ...modelRoutes,
      ...embedRoutes,
      ...vectorStoreRoutes,
      ...documentRoutes,
      ...ragRoutes,
    ],
    services: async ({ db, environment }) => {
      opened = db;
      const ai = createAiService(db, environment);
      const worker = new IngestWorker(db, ai);
      ingest = worker;
      const vectorStores = createVectorStoreService({ db, models: ai });
      return { ai, vectorStores, documents: createDocumentService(db, () => worker.wake()) };
    },
    seed: ({ db }) => seedAliases(db),
    start: async ({ environment }) => {
      if (environment.worker?.enabled !== false) ingest?.start();
    },
    stop: async () => ingest?.stop(),
  });
}
