import { IdOrSlugSchema } from "@oven/contract";
import {
  ApplyPromotionSchema,
  PlanPromotionSchema,
  PromotedEverythingSchema,
  PromotionFileSchema,
  PromotionPlanSchema,
  PromotionReportSchema,
} from "@oven/contract/workflow";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { AGENT, REGULAR } from "@oven/module-workflows";
import { z } from "zod";
import type { PromotionService } from "./plan/promotion-service.ts";

const BODY_LIMIT = 32 * 1_048_576;
const mayImport = { permission: "promotions.create" };

export function promotionRoutes(service: () => PromotionService): Route[] {
  return [
    ...[REGULAR, AGENT].map(({ kind, resource, title }) =>
      defineRoute({
        method: "GET",
        path: `${resource}/[id]/promotion`,
        operation: kind === REGULAR.kind ? "promotion.exportWorkflow" : "promotion.exportAgentWorkflow",
        delegates: true,
        summary: `The ${title} with what it calls, as one file for another installation`,
        access: { permission: `${resource}.read` },
        effect: "pure",
        params: z.object({ id: IdOrSlugSchema }),
        query: z.object({
          version: z.coerce
            .number()
            .int()
            .positive()
            .optional()
            .describe("Of the workflow itself; else what is published"),
          triggers: z.enum(["true", "false"]).default("true"),
        }),
        response: PromotionFileSchema,
        handler: async ({ principal, params, query }) => {
          const { version, triggers } = query;
          const wanted = { kind, idOrSlug: params.id, version, triggers: triggers === "true" };
          const file = await service().export(principal, wanted);
          const headers = { "content-disposition": `attachment; filename="${file.root.slug}.promotion.json"` };
          return { status: 200, headers, body: file };
        },
      }),
    ),
    defineRoute({
      method: "GET",
      path: "promotions/everything",
      operation: "promotion.exportAll",
      delegates: true,
      summary: "All workflows, agents, triggers and columns of tables by their names, to keep them in version control",
      access: { permission: `${REGULAR.resource}.read` },
      effect: "pure",
      response: PromotedEverythingSchema,
      handler: async ({ principal }) => ok(await service().exportAll(principal)),
    }),
    defineRoute({
      method: "POST",
      path: "promotions/plan",
      operation: "promotion.plan",
      delegates: true,
      summary:
        "What importing a file of another installation would create and change, and which names are missing here",
      access: mayImport,
      effect: "pure",
      body: PlanPromotionSchema,
      bodyLimit: BODY_LIMIT,
      response: PromotionPlanSchema,
      handler: async ({ principal, body }) => ok(await service().plan(principal, body)),
    }),
    defineRoute({
      method: "POST",
      path: "promotions/apply",
      operation: "promotion.apply",
      delegates: true,
      summary: "Import what a plan showed, all of it or nothing",
      access: mayImport,
      effect: "at-least-once",
      needsApproval: true,
      body: ApplyPromotionSchema,
      bodyLimit: BODY_LIMIT,
      response: PromotionReportSchema,
      handler: async ({ principal, body }) => ok(await service().apply(principal, body)),
    }),
  ];
}
