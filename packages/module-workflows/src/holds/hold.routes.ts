import { HoldSchema, NewHoldSchema } from "@oven/contract/run";
import {
  defineRoute,
  ListQuerySchema,
  listReply,
  ok,
  type Permission,
  READING_ROLES,
  type Reply,
  type Route,
  RUNNING_ROLES,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { keepToWorkflows } from "../definitions/bound-to.ts";
import type { HoldService } from "./hold-service.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });

export const holdPermissions: Permission[] = [
  { id: "holds.read", title: "See what is held", roles: [...READING_ROLES, "reviewer"] },
  { id: "holds.manage", title: "Hold runs, workflows and the whole tenant, and let them go on", roles: RUNNING_ROLES },
];

/** A key that is bound to workflows sees what holds them; holding is about more than it may do. */
export function holdRoutes(deps: () => { holds: HoldService }): Route[] {
  return [
    ...keepToWorkflows([
      defineRoute({
        method: "GET",
        path: "holds",
        operation: "holds.list",
        summary: "What begins no new step until it is let go on",
        access: { permission: "holds.read" },
        effect: "pure",
        query: ListQuerySchema,
        response: z.array(HoldSchema),
        handler: async ({ principal, query }) => {
          const params = toListParams(query);
          const rows = await deps().holds.list(principal);
          const { first, last } = params.range;
          return listReply("holds", params, rows.slice(first, last + 1), rows.length);
        },
      }),
      defineRoute({
        method: "GET",
        path: "holds/[id]",
        operation: false,
        summary: "One hold",
        access: { permission: "holds.read" },
        effect: "pure",
        params: Params,
        response: HoldSchema,
        handler: async ({ principal, params }) => ok(await deps().holds.get(principal, params.id)),
      }),
    ]),
    defineRoute({
      method: "POST",
      path: "holds",
      operation: false,
      summary: "Hold a run with its children, a workflow, or all runs of the tenant",
      description:
        "Calls that are under way finish and are recorded; no new step begins. Runs that are started meanwhile are accepted and wait. Decisions, events and timers are stored and count when it goes on. A held run can be cancelled.",
      access: { permission: "holds.manage" },
      body: NewHoldSchema,
      response: HoldSchema,
      handler: async ({ principal, body }): Promise<Reply> => ({
        status: 201,
        body: await deps().holds.add(principal, body),
      }),
    }),
    defineRoute({
      method: "DELETE",
      path: "holds/[id]",
      operation: false,
      summary: "Let what was held go on",
      access: { permission: "holds.manage" },
      params: Params,
      response: z.object({ id: z.int() }),
      handler: async ({ principal, params }): Promise<Reply> => {
        await deps().holds.remove(principal, params.id);
        return { status: 200, body: { id: params.id } };
      },
    }),
  ];
}
