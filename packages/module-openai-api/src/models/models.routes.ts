import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { openAiErrors } from "../errors/openai-errors.ts";
import type { OpenAiApi } from "../openai-api.ts";
import { ModelSchema } from "./model-service.ts";

const shared = {
  operation: false,
  access: "session",
  keepsToWorkflows: true,
  effect: "pure",
  errors: openAiErrors,
} as const;

export function modelRoutes(api: () => OpenAiApi): Route[] {
  return [
    defineRoute({
      ...shared,
      method: "GET",
      path: "v1/models",
      summary: "Agents and workflows that you may ask, in the shape of OpenAI's models",
      response: z.strictObject({ object: z.literal("list"), data: z.array(ModelSchema) }),
      handler: async ({ principal }) => ok({ object: "list", data: await api().models.list(principal) }),
    }),
    defineRoute({
      ...shared,
      method: "GET",
      path: "v1/models/[model]",
      summary: "One of them, such as `agent:support`",
      params: z.object({ model: z.string().min(1).max(300) }),
      response: ModelSchema,
      handler: async ({ principal, params }) => ok(await api().models.get(principal, params.model)),
    }),
  ];
}
