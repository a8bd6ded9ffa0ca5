import {
  BudgetSpendSchema,
  CreateGuardrailSchema,
  CreateModelBudgetSchema,
  CreateModelPriceSchema,
  CreateModelRateLimitSchema,
  GuardrailSchema,
  ModelBudgetSchema,
  ModelPriceSchema,
  ModelRateLimitSchema,
  TriedGuardrailsSchema,
  TryGuardrailsSchema,
  UpdateGuardrailSchema,
  UpdateModelBudgetSchema,
  UpdateModelPriceSchema,
  UpdateModelRateLimitSchema,
} from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { defineRoute, ok, type Route, requirePermission } from "@oven/module-registry";
import { z } from "zod";
import { Budgets, createBudgetRows } from "../budgets/budgets.ts";
import { createGuardrailRows } from "../guardrails/guardrails.ts";
import { createRateLimitRows } from "../limits/rate-limits.ts";
import { systemTiming } from "../limits/timing.ts";
import { createPriceRows, withCachedPrice } from "../prices/prices.ts";
import { tenantRowRoutes } from "../rows/tenant-row-routes.ts";
import { callerOf } from "../usage/caller-of.ts";

/** What models cost, and what bounds calls of them. */
export function createLimitRoutes(database: () => Database): Route[] {
  return [
    ...tenantRowRoutes({
      ...{ path: "ai-prices", operation: "prices", one: "price of a model", many: "prices of models" },
      view: ModelPriceSchema,
      create: CreateModelPriceSchema,
      complete: withCachedPrice,
      update: UpdateModelPriceSchema,
      rows: () => createPriceRows(database()),
    }),
    ...tenantRowRoutes({
      ...{ path: "ai-budgets", operation: "budgets", one: "model budget", many: "model budgets" },
      view: ModelBudgetSchema,
      create: CreateModelBudgetSchema,
      update: UpdateModelBudgetSchema,
      rows: () => createBudgetRows(database()),
    }),
    defineRoute({
      method: "GET",
      path: "ai-budgets/[id]/spend",
      operation: "budgets.spend",
      summary: "What was spent of a model budget, latest first",
      access: { permission: "ai-budgets.read" },
      params: z.object({ id: z.coerce.number().int().positive() }),
      response: z.array(BudgetSpendSchema),
      effect: "pure",
      async handler({ params, principal }) {
        await createBudgetRows(database()).get(principal, params.id);
        return ok(await new Budgets(database(), systemTiming).spendOf(principal.tenantId, params.id));
      },
    }),
    defineRoute({
      method: "POST",
      path: "ai-guardrails/try",
      operation: false,
      summary: "What guardrails would do to a text",
      description:
        "One that is given, saved or not, or all that are on. Classifiers ask their model, which costs as any call does.",
      access: { permission: "ai-guardrails.read" },
      body: TryGuardrailsSchema,
      response: TriedGuardrailsSchema,
      effect: "at-least-once",
      async handler({ body, principal, services, signal }) {
        requirePermission(principal, "ai.generate");
        return ok(await services.ai.tryGuardrails(body, { caller: callerOf(principal, undefined), signal }));
      },
    }),
    ...tenantRowRoutes({
      ...{ path: "ai-guardrails", operation: "guardrails", one: "guardrail", many: "guardrails" },
      view: GuardrailSchema,
      create: CreateGuardrailSchema,
      update: UpdateGuardrailSchema,
      rows: () => createGuardrailRows(database()),
    }),
    ...tenantRowRoutes({
      ...{ path: "ai-rate-limits", operation: "rateLimits", one: "model rate limit", many: "model rate limits" },
      view: ModelRateLimitSchema,
      create: CreateModelRateLimitSchema,
      update: UpdateModelRateLimitSchema,
      rows: () => createRateLimitRows(database()),
    }),
  ];
}
