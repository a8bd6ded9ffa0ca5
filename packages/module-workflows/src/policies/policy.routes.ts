import {
  CreateGraphPolicySchema,
  GraphPolicySchema,
  PolicyTrialSchema,
  TryGraphPolicySchema,
  UpdateGraphPolicySchema,
} from "@oven/contract/workflow";
import { defineRoute, ok, type Permission, READING_ROLES, type Route, rowRoutes } from "@oven/module-registry";
import { z } from "zod";
import type { PolicyService } from "./policy-service.ts";

export const policyPermissions: Permission[] = [
  { id: "policies.read", title: "See policies on graphs", roles: READING_ROLES },
  { id: "policies.update", title: "Change policies on graphs" },
];

/** Routes that change a policy are no operations, because workflows must not change the policies that bind them. */
export function policyRoutes(deps: () => { policies: PolicyService }): Route[] {
  const ofRows = rowRoutes({
    path: "graph-policies",
    operation: "graphPolicies",
    changes: { operation: false },
    permission: (action) => (action === "read" ? "policies.read" : "policies.update"),
    summaries: {
      list: "List policies on graphs",
      create: "Make a policy on graphs",
      get: "Get a policy on graphs",
      update: "Change a policy on graphs",
      delete: "Delete a policy on graphs",
    },
    params: z.object({ id: z.coerce.number().int().positive() }),
    row: GraphPolicySchema,
    create: CreateGraphPolicySchema,
    update: UpdateGraphPolicySchema,
    rows: () => deps().policies.rows,
  });
  return [
    defineRoute({
      method: "POST",
      path: "graph-policies/try",
      operation: false,
      mayNeed: ["workflows.read", "agent-workflows.read"],
      summary: "What a rule would refuse of all workflows, published and drafts, without saving it",
      access: { permission: "policies.update" },
      effect: "pure",
      audited: false,
      body: TryGraphPolicySchema,
      response: PolicyTrialSchema,
      handler: async ({ principal, body, signal }) => ok(await deps().policies.tryRule(principal, body.rule, signal)),
    }),
    ...ofRows,
  ];
}
