import {
  RepairSchema,
  RepairSummarySchema,
  RepairsQuerySchema,
  StartedRepairSchema,
  StartRepairSchema,
} from "@oven/contract/workflow";
import { created, defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { RepairParts } from "./repair-parts.ts";

const access = { permission: "agent-workflows.update" };

/** Repairs of failed runs. */
export function repairRoutes(parts: () => RepairParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "builder/repairs",
      operation: "repairs.start",
      delegates: true,
      summary: "Have failed runs of an agent workflow repaired",
      description:
        "201 and the run that repairs: a model proposes a change of the workflow, which is proved on recorded runs before a person is asked. Needs the permissions to run agent workflows and to read runs, too. 409 while another run repairs the same failure.",
      access,
      effect: "at-least-once",
      body: StartRepairSchema,
      response: StartedRepairSchema,
      handler: async ({ principal, body }) => created(await parts().repairs.start(principal, body.runIds)),
    }),
    defineRoute({
      method: "GET",
      path: "builder/repairs",
      operation: "repairs.list",
      summary: "Repairs of agent workflows, the newest first",
      access,
      effect: "pure",
      query: RepairsQuerySchema,
      response: z.array(RepairSummarySchema),
      handler: async ({ principal, query }) => ok(await parts().repairs.list(principal, query.workflowId)),
    }),
    defineRoute({
      method: "GET",
      path: "builder/repairs/[executionId]",
      operation: "repairs.get",
      summary: "A repair: what it changes, and what was found of it",
      description: "The proposal is there once it is proved.",
      access,
      effect: "pure",
      params: z.object({ executionId: z.coerce.number().int().positive() }),
      response: RepairSchema,
      handler: async ({ principal, params }) => ok(await parts().repairs.get(principal, params.executionId)),
    }),
  ];
}
