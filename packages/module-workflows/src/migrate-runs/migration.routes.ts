import { IdOrSlugSchema } from "@oven/contract";
import { MigrateRunsBodySchema, MigrationPlanSchema, RunMigrationSchema } from "@oven/contract/run";
import { accepted, defineRoute, ok, type Permission, type Route } from "@oven/module-registry";
import { z } from "zod";
import { keepToWorkflows } from "../definitions/bound-to.ts";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";
import type { MigrationService } from "./migration-service.ts";

/** Only owners and admins have it by default: runs go on with a definition that they were not started with. */
export const migrationPermissions: Permission[] = [
  { id: "executions.migrate", title: "Move waiting runs to other versions of their workflow" },
];

const id = IdOrSlugSchema;
const Params = z.object({ id });
const OneParams = z.object({ id, migrationId: z.coerce.number().int().positive() });

/** Moves of waiting runs to another version. */
export function migrationRoutes(
  { kind, resource, title }: WorkflowKind,
  deps: () => { migrations: MigrationService },
): Route[] {
  const names = kind === "workflow" ? "workflows" : "agentWorkflows";
  const read = { permission: "executions.read" };
  const migrate = { permission: "executions.migrate" };
  return keepToWorkflows([
    defineRoute({
      method: "GET",
      path: `${resource}/[id]/migrations`,
      operation: false,
      summary: `Moves of waiting runs of ${withArticle(title)} to other versions, the newest first`,
      access: read,
      effect: "pure",
      params: Params,
      response: z.array(RunMigrationSchema),
      handler: async ({ principal, params }) => ok(await deps().migrations.list(principal, params.id)),
    }),
    defineRoute({
      method: "GET",
      path: `${resource}/[id]/migrations/waiting`,
      operation: false,
      summary: `How many runs of ${withArticle(title)} wait on other versions than the published one`,
      access: read,
      effect: "pure",
      params: Params,
      response: z.strictObject({ count: z.int(), version: z.int() }),
      handler: async ({ principal, params }) => ok(await deps().migrations.waiting(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: `${resource}/[id]/migrations/plan`,
      operation: `${names}.planMigration`,
      summary: `Say what moving the waiting runs of ${withArticle(title)} to another version would come to`,
      description:
        "Groups of waiting runs that are alike, each with a verdict, what it needs, and proposals for states that are missing. Nothing is written.",
      access: migrate,
      effect: "pure",
      audited: false,
      params: Params,
      body: MigrateRunsBodySchema,
      response: MigrationPlanSchema,
      handler: async ({ principal, params, body }) => ok(await deps().migrations.plan(principal, params.id, body)),
    }),
    defineRoute({
      method: "POST",
      path: `${resource}/[id]/migrations`,
      operation: `${names}.migrateRuns`,
      summary: `Move the waiting runs of ${withArticle(title)} to another version`,
      description:
        "202 and the migration; its runs are moved one after the other, each as a whole or not at all. Runs that go on meanwhile are left out and named. Open reviews stay open. It can be undone for runs that no worker has taken up since.",
      access: migrate,
      effect: "at-least-once",
      params: Params,
      body: MigrateRunsBodySchema,
      response: RunMigrationSchema,
      handler: async ({ principal, params, body }) =>
        accepted(await deps().migrations.start(principal, params.id, body)),
    }),
    defineRoute({
      method: "GET",
      path: `${resource}/[id]/migrations/[migrationId]`,
      operation: false,
      summary: "A move of waiting runs, how far it is, and which runs it left out",
      access: read,
      effect: "pure",
      params: OneParams,
      response: RunMigrationSchema,
      handler: async ({ principal, params }) =>
        ok(await deps().migrations.get(principal, params.id, params.migrationId)),
    }),
    defineRoute({
      method: "POST",
      path: `${resource}/[id]/migrations/[migrationId]/undo`,
      operation: false,
      summary: "Put runs back that no worker has taken up since they were moved",
      access: migrate,
      effect: "idempotent",
      params: OneParams,
      response: RunMigrationSchema,
      handler: async ({ principal, params }) =>
        accepted(await deps().migrations.undo(principal, params.id, params.migrationId)),
    }),
  ]);
}
