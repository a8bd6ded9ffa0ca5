import { SHARED_TENANT } from "@oven/contract";
import type { Workflow, WorkflowVersion } from "@oven/contract/workflow";
import { inReadingOrder } from "./order-keys.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

export type WorkflowRow = WorkflowTables["workflows"]["$inferSelect"];
export type VersionRow = WorkflowTables["versions"]["$inferSelect"];

/** Tenant 0 is shown as null: shared, visible to all. */
export function shownTenant(tenantId: number): number | null {
  return tenantId === SHARED_TENANT ? null : tenantId;
}

export function toWorkflow(row: WorkflowRow): Workflow {
  return {
    ...row,
    tenantId: shownTenant(row.tenantId),
    definition: inReadingOrder(row.definition),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toVersion({ tenantId: _tenant, ...row }: VersionRow): WorkflowVersion {
  return { ...row, definition: inReadingOrder(row.definition), createdAt: row.createdAt.toISOString() };
}
