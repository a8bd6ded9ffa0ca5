import { z } from "zod";
import { intersectPermissions } from "./permissions.ts";
import { DEFAULT_TENANT } from "./tenants.ts";

/** Who acts. It comes from credentials only, and is carried by every handler, node and run. */
export const PrincipalSchema = z.strictObject({
  kind: z.enum(["user", "api-key", "system"]),
  userId: z.int().positive().nullable(),
  tenantId: z.int().nonnegative(),
  permissions: z.array(z.string()),
  keyId: z.int().positive().optional(),
  /** What a user acts through besides: the key that saved the trigger of a run, or an OAuth client (`client_id`). It grants nothing once it ends. */
  through: z.strictObject({ keyId: z.int().positive().optional(), app: z.string().optional() }).optional(),
  /** The only workflows it may use, as `workflow:12` or `agent-workflow:7`; absent: all that its permissions cover. */
  workflows: z.array(z.string()).optional(),
  /** With `workflows`: the only agents it may use, by id. */
  agents: z.array(z.int().positive()).optional(),
  /** Inside a run: the users who asked for it, where that is not the starter alone; none of them may decide as another pair of eyes. */
  requesters: z.array(z.int().positive()).optional(),
  /** Inside a run: what `permissions` were cut down to, so that a refusal can name the side that lacks a permission. */
  limits: z
    .array(
      z.strictObject({
        side: z.string(),
        permissions: z.array(z.string()),
        /** What to do about a permission that this side lacks; absent: publish again. */
        fix: z.string().optional(),
      }),
    )
    .optional(),
});
export type Principal = z.infer<typeof PrincipalSchema>;

/** How a principal is shown on a row. */
export const ActorSchema = z.strictObject({
  kind: z.enum(["user", "api-key", "system"]),
  id: z.int().positive().nullable(),
});
export type Actor = z.infer<typeof ActorSchema>;

/** The part of a principal that logs and events name. */
export function toActor(principal: Principal): Actor {
  return { kind: principal.kind, id: principal.kind === "api-key" ? (principal.keyId ?? null) : principal.userId };
}

/**
 * A principal cut down to what a workflow's version, or an agent's, was granted.
 * @param side what the limit belongs to, as errors name it: `version 3 of Refund`
 */
export function limitPrincipal(principal: Principal, side: string, granted: readonly string[]): Principal {
  if (granted.includes("*")) return principal;
  return {
    ...principal,
    permissions: intersectPermissions(principal.permissions, granted),
    limits: [...(principal.limits ?? []), { side, permissions: [...granted] }],
  };
}

/** The users who asked for a run of this principal; a review with four eyes is decided by others. */
export function requestersOf({ requesters, userId }: Principal): number[] {
  return requesters ?? (userId === null ? [] : [userId]);
}

/** Whether a principal may see and run this workflow and its runs, by its own bounds alone. */
export function mayUseWorkflow(principal: Principal, kind: "workflow" | "agent-workflow", id: number): boolean {
  return principal.workflows === undefined || principal.workflows.includes(`${kind}:${id}`);
}

/** A principal that may run a workflow or an agent may also run what it calls, because its author chose these calls. */
export function withoutBounds({ workflows: _workflows, agents: _agents, ...principal }: Principal): Principal {
  return principal;
}

/** The server itself: start-up, timers, recovery. */
export const SYSTEM_PRINCIPAL: Principal = {
  kind: "system",
  userId: null,
  tenantId: DEFAULT_TENANT,
  permissions: ["*"],
};
