import { type Permission, READING_ROLES, type Route, RUNNING_ROLES } from "@oven/module-registry";
import { containerRoutes } from "./container.routes.ts";
import { instanceRoutes } from "./instance.routes.ts";
import type { LinearParts } from "./linear-parts.ts";
import { stepRoutes } from "./step.routes.ts";
import { triggerRoutes } from "./trigger.routes.ts";
import { workflowRoutes } from "./workflow.routes.ts";

export const linearPermissions: Permission[] = [
  { id: "linear-workflows.read", title: "See linear workflows and their data", roles: READING_ROLES },
  { id: "linear-workflows.create", title: "Make linear workflows, steps and data containers", roles: ["editor"] },
  { id: "linear-workflows.update", title: "Change linear workflows, steps and triggers", roles: ["editor"] },
  { id: "linear-workflows.delete", title: "Delete linear workflows, steps and triggers", roles: ["editor"] },
  { id: "linear-workflows.execute", title: "Start and cancel runs of linear workflows", roles: RUNNING_ROLES },
];

/** Named and shaped as the document names and shapes them. */
export function linearRoutes(parts: () => LinearParts): Route[] {
  return [workflowRoutes, instanceRoutes, stepRoutes, triggerRoutes, containerRoutes].flatMap((routes) =>
    routes(parts),
  );
}
