import { DEFAULT_TENANT, OvenError, type Principal } from "@oven/contract";
import {
  type Queue,
  QueueSchema,
  type RetentionState,
  RetentionStateSchema,
  type Workers,
  WorkersSchema,
} from "@oven/contract/system";
import { defineRoute, ok, type Route } from "@oven/module-registry";

export interface InstallationDeps {
  workers(): Promise<Workers>;
  queue(): Promise<Queue>;
  retention(tenantId: number): Promise<RetentionState>;
  /** For how many seconds the run that waits longest is due; 0: none is. */
  oldestDueSeconds(): Promise<number>;
}

/** How the installation runs. Processes and queues serve all tenants: only users of the first see them. */
export function installationRoutes(deps: () => InstallationDeps): Route[] {
  const access = { permission: "installation.read" };
  return [
    defineRoute({
      method: "GET",
      path: "installation/workers",
      operation: false,
      summary: "The processes of this installation: which are alive, and which runs each holds",
      access,
      effect: "pure",
      response: WorkersSchema,
      handler: async ({ principal }) => {
        requireFirstTenant(principal);
        return ok(await deps().workers());
      },
    }),
    defineRoute({
      method: "GET",
      path: "installation/queue",
      operation: false,
      summary: "What waits to be worked on, for how long, and what came of the last hour",
      access,
      effect: "pure",
      response: QueueSchema,
      handler: async ({ principal }) => {
        requireFirstTenant(principal);
        return ok(await deps().queue());
      },
    }),
    defineRoute({
      method: "GET",
      path: "installation/retention",
      operation: false,
      summary: "How long runs of this tenant are kept, what goes next, and when the last pass was",
      access,
      effect: "pure",
      response: RetentionStateSchema,
      handler: async ({ principal }) => ok(await deps().retention(principal.tenantId)),
    }),
  ];
}

function requireFirstTenant({ tenantId }: Principal): void {
  if (tenantId === DEFAULT_TENANT) return;
  throw new OvenError("FORBIDDEN", "Workers and queues serve all tenants; only users of the first tenant see them", {
    status: 403,
    fix: "Ask whoever runs this installation.",
  });
}
