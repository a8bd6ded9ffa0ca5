import { IdOrSlugSchema } from "@oven/contract";
import { AskAnswerSchema, AskBodySchema, RetrieveAnswerSchema, RetrieveBodySchema } from "@oven/contract/ai";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { toStoreCall } from "./vector-stores.routes.ts";

const store = IdOrSlugSchema.describe("Id or slug of the vector store");

export const ragRoutes: Route[] = [
  defineRoute({
    method: "POST",
    path: "ai/rag/retrieve",
    operation: "rag.retrieve",
    summary: "Find passages in a vector store, as numbered sources for a model",
    description: "`context` has them between tags that mark them as untrusted content.",
    access: { permission: "vector-stores.read" },
    body: RetrieveBodySchema.extend({ store }),
    response: RetrieveAnswerSchema,
    effect: "pure",
    handler: async (context) => {
      const { store, ...body } = context.body;
      const { spend: _, ...found } = await context.services.vectorStores.retrieve(store, body, toStoreCall(context));
      return ok(found);
    },
  }),
  defineRoute({
    method: "POST",
    path: "ai/rag/ask",
    operation: "rag.ask",
    summary: "Answer a question from a vector store, naming the sources",
    access: { permission: "vector-stores.ask" },
    body: AskBodySchema.extend({ store }),
    response: AskAnswerSchema,
    effect: "at-least-once",
    handler: async (context) => {
      const { store, ...body } = context.body;
      const { simulated: _, ...answer } = await context.services.vectorStores.ask(store, body, toStoreCall(context));
      return ok(answer);
    },
  }),
];
