import { EmbedAnswerSchema, EmbedBodySchema } from "@oven/contract/ai";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { callerOf } from "../usage/caller-of.ts";

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
    handler: async ({ body, principal, signal, services, run }) =>
      ok(await services.ai.embed({ ...body, signal, caller: callerOf(principal, run) })),
  }),
];
