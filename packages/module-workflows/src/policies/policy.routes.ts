import { CreateGraphPolicySchema, GraphPolicySchema, UpdateGraphPolicySchema } from "@oven/contract/workflow";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Permission,
  READING_ROLES,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { PolicyService } from "./policy-service.ts";

const READ = { permission: "policies.read" };
const UPDATE = { permission: "policies.update" };
const Params = z.object({ id: z.coerce.number().int().positive() });

export const policyPermissions: Permission[] = [
  { id: "policies.read", title: "See policies on graphs", roles: READING_ROLES },
  { id: "policies.update", title: "Change policies on graphs" },
];

/** None that changes anything is an operation: what binds workflows is not for workflows to change. */
export function policyRoutes(deps: () => { policies: PolicyService }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "graph-policies",
      operation: "graphPolicies.list",
      summary: "List policies on graphs",
      access: READ,
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(GraphPolicySchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().policies.rows.list(principal, params);
        return listReply("graph-policies", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "graph-policies",
      operation: false,
      summary: "Make a policy on graphs",
      access: UPDATE,
      effect: "at-least-once",
      body: CreateGraphPolicySchema,
      response: GraphPolicySchema,
      handler: async ({ principal, body }) => created(await deps().policies.rows.create(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: "graph-policies/[id]",
      operation: "graphPolicies.get",
      summary: "Get a policy on graphs",
      access: READ,
      effect: "pure",
      params: Params,
      response: GraphPolicySchema,
      handler: async ({ principal, params }) => ok(await deps().policies.rows.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "graph-policies/[id]",
      operation: false,
      summary: "Change a policy on graphs",
      access: UPDATE,
      effect: "idempotent",
      params: Params,
      body: UpdateGraphPolicySchema,
      response: GraphPolicySchema,
      handler: async ({ principal, params, body }) => ok(await deps().policies.rows.update(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "graph-policies/[id]",
      operation: false,
      summary: "Delete a policy on graphs",
      access: UPDATE,
      effect: "at-least-once",
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().policies.rows.delete(principal, params.id);
        return noContent();
      },
    }),
  ];
}
