import { GenerateBodySchema, ModelAnswerSchema, ModelProviderSchema } from "@oven/contract";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";

export const modelRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "ai-providers",
    operation: "providers.list",
    summary: "List model providers and whether they are configured",
    access: { permission: "ai-providers.read" },
    response: z.array(ModelProviderSchema),
    effect: "pure",
    async handler({ services }) {
      const providers = services.ai.providers();
      const range = providers.length === 0 ? "*" : `0-${providers.length - 1}`;
      return ok(providers, { "content-range": `ai-providers ${range}/${providers.length}` });
    },
  }),
  defineRoute({
    method: "POST",
    path: "ai/generate",
    operation: "generate",
    summary: "Ask a model for one answer",
    access: { permission: "ai.generate" },
    body: GenerateBodySchema,
    response: ModelAnswerSchema,
    effect: "at-least-once",
    async handler({ body, principal, request, signal, services }) {
      const { tenantId, userId } = principal;
      const idempotencyKey = request.headers.get("idempotency-key");
      const { model, messages, ...optional } = body;
      const settings = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
      return ok(
        await services.ai.generate({
          ...settings,
          model,
          messages,
          signal,
          caller: { tenantId, userId },
          ...(idempotencyKey === null ? {} : { idempotencyKey }),
        }),
      );
    },
  }),
];
