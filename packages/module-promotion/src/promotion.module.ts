// What they put into `services`.
import type {} from "@oven/module-agent-core";
import type {} from "@oven/module-ai";
import { defineModule, type ModuleDefinition, NO_PERSON_DATA } from "@oven/module-registry";
import type {} from "@oven/module-tables";
import type {} from "@oven/module-triggers";
import { PromotionService } from "./plan/promotion-service.ts";
import { promotionRoutes } from "./promotion.routes.ts";

/** Takes workflows with what they call from one installation to another. */
export function createPromotionModule(): ModuleDefinition {
  let state: PromotionService | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-promotion was not started by a runtime");
    return state;
  };
  return defineModule({
    name: "module-promotion",
    namespace: "promotion",
    description: "Takes workflows with what they call from one installation to another.",
    personData: NO_PERSON_DATA,
    dependencies: [
      "module-registry",
      "module-workflows",
      "module-ai",
      "module-agent-core",
      "module-workflow-agents",
      "module-triggers",
      "module-tables",
    ],
    permissions: [{ id: "promotions.create", title: "Import workflows from another installation", roles: ["editor"] }],
    routes: promotionRoutes(ready),
    services: async ({ db, services }) => {
      state = new PromotionService({ db, services });
      return {};
    },
  });
}
