import { EmbedAnswerSchema, EmbedBodySchema } from "@oven/contract";
import { defineRoute, ok, type Route } from "@oven/module-registry";

export const embedRoutes: Route[] = [
  defineRoute({
    method: "POST",
    path: "ai/embed",
    operation: "embedMany",
    summary: "Turn texts into vectors, one each, in the same order",
    access: { permission: "ai.embed" },
    body: EmbedBodySchema,
    response: EmbedAnswerSchema,
    bodyLimit: 16_777_216,
    effect: "pure",
    handler: async ({ body, principal, signal, services }) => {
      const { tenantId, userId } = principal;
      return ok(await services.ai.embed({ ...body, signal, caller: { tenantId, userId } }));
    },
  }),
];
