import { GenerateBodySchema, ModelAnswerSchema } from "@oven/contract/ai";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { callerOf } from "../usage/caller-of.ts";

export const generateRoutes: Route[] = [
  defineRoute({
    method: "POST",
    path: "ai/generate",
    operation: "generate",
    summary: "Ask a model for one answer",
    access: { permission: "ai.generate" },
    body: GenerateBodySchema,
    response: ModelAnswerSchema,
    effect: "at-least-once",
    async handler({ body, principal, request, signal, services, run }) {
      const idempotencyKey = request.headers.get("idempotency-key");
      const { model, messages, outputSchema, maxCorrections, ...optional } = body;
      const settings = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
      const asked = {
        ...settings,
        model,
        messages,
        signal,
        caller: callerOf(principal, run),
        ...(idempotencyKey === null ? {} : { idempotencyKey }),
      };
      if (outputSchema === undefined) return ok(await services.ai.generate(asked));
      const bound = maxCorrections === undefined ? {} : { maxCorrections };
      return ok(await services.ai.object({ ...asked, outputSchema, ...bound }));
    },
  }),
];
