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
  UpdateGuardrailSchema,
  UpdateModelBudgetSchema,
  UpdateModelPriceSchema,
  UpdateModelRateLimitSchema,
} from "@oven/contract";
import type { Database } from "@oven/db";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { Budgets, createBudgetRows } from "../budgets/budgets.ts";
import { createGuardrailRows } from "../guardrails/guardrails.ts";
import { createRateLimitRows } from "../limits/rate-limits.ts";
import { systemTiming } from "../limits/timing.ts";
import { createPriceRows, withCachedPrice } from "../prices/prices.ts";
import { rowRoutes } from "../rows/row-routes.ts";

/** What models cost, and what bounds calls of them. */
export function createLimitRoutes(database: () => Database): Route[] {
  return [
    ...rowRoutes({
      ...{ path: "ai-prices", operation: "prices", one: "price of a model", many: "prices of models" },
      view: ModelPriceSchema,
      create: CreateModelPriceSchema,
      complete: withCachedPrice,
      update: UpdateModelPriceSchema,
      rows: () => createPriceRows(database()),
    }),
    ...rowRoutes({
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
    ...rowRoutes({
      ...{ path: "ai-guardrails", operation: "guardrails", one: "guardrail", many: "guardrails" },
      view: GuardrailSchema,
      create: CreateGuardrailSchema,
      update: UpdateGuardrailSchema,
      rows: () => createGuardrailRows(database()),
    }),
    ...rowRoutes({
      ...{ path: "ai-rate-limits", operation: "rateLimits", one: "model rate limit", many: "model rate limits" },
      view: ModelRateLimitSchema,
      create: CreateModelRateLimitSchema,
      update: UpdateModelRateLimitSchema,
      rows: () => createRateLimitRows(database()),
    }),
  ];
}
