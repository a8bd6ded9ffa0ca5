import { z } from "zod";

/** Who acts. It comes from credentials only, and is carried by every handler, node and run. */
export const PrincipalSchema = z.strictObject({
  kind: z.enum(["user", "api-key", "system"]),
  userId: z.int().positive().nullable(),
  tenantId: z.int().nonnegative(),
  permissions: z.array(z.string()),
  keyId: z.int().positive().optional(),
  /** The only workflows it may use, as `workflow:12` or `agent-workflow:7`; absent: all that its permissions cover. */
  workflows: z.array(z.string()).optional(),
  /** With `workflows`: the only agents it may use, by id. */
  agents: z.array(z.int().positive()).optional(),
});
export type Principal = z.infer<typeof PrincipalSchema>;

/** How a principal is shown on a row. */
export const ActorSchema = z.strictObject({
  kind: z.enum(["user", "api-key", "system"]),
  id: z.int().positive().nullable(),
});
export type Actor = z.infer<typeof ActorSchema>;

export function toActor(principal: Principal): Actor {
  return { kind: principal.kind, id: principal.kind === "api-key" ? (principal.keyId ?? null) : principal.userId };
}

/** Whether `granted` (`resource.action`, `resource.*`, `*`) covers the wanted permission. */
export function isGranted(granted: readonly string[], wanted: string): boolean {
  const [resource] = wanted.split(".");
  return granted.some((grant) => grant === "*" || grant === wanted || grant === `${resource}.*`);
}

/** Whether a principal may see and run this workflow and its runs, by its own bounds alone. */
export function mayUseWorkflow(principal: Principal, kind: "workflow" | "agent-workflow", id: number): boolean {
  return principal.workflows === undefined || principal.workflows.includes(`${kind}:${id}`);
}

/** Whoever may run a workflow or an agent runs what it calls: its author chose that. */
export function withoutBounds({ workflows: _workflows, agents: _agents, ...principal }: Principal): Principal {
  return principal;
}

export const DEFAULT_TENANT = 1;
export const SHARED_TENANT = 0;

/** The server itself: start-up, timers, recovery. */
export const SYSTEM_PRINCIPAL: Principal = {
  kind: "system",
  userId: null,
  tenantId: DEFAULT_TENANT,
  permissions: ["*"],
};
