import { isOvenError, type JsonObject } from "@oven/contract";
import { REPAIR_WORKFLOW } from "@oven/contract/workflow";
import type { ModuleDeps, NodeDefinition, ServiceMap } from "@oven/module-registry";
import type { DeskRows } from "../desks/desk-rows.ts";
import { RepairApplier } from "./apply-repair.ts";
import { FailedRuns } from "./failed-runs.ts";
import { applyRepairNode } from "./nodes/apply-repair.node.ts";
import { askRepairNode } from "./nodes/ask-repair.node.ts";
import { gatherFailuresNode } from "./nodes/gather-failures.node.ts";
import { proveRepairNode } from "./nodes/prove-repair.node.ts";
import { ProposalRows } from "./proposal-rows.ts";
import { RepairProver } from "./prove-repair.ts";
import { repairDefinition } from "./repair.definition.ts";
import { RepairService } from "./repair-service.ts";

/** What repairs are made of, for nodes, routes and the rule. */
export interface RepairParts {
  services: ServiceMap;
  tools: ServiceMap["tools"];
  desks: DeskRows;
  publicUrl: string;
  rows: ProposalRows;
  failedRuns: FailedRuns;
  prover: RepairProver;
  applier: RepairApplier;
  repairs: RepairService;
}

export function createRepairParts({ db, services, environment }: ModuleDeps, desks: DeskRows): RepairParts {
  const rows = new ProposalRows(db, async (principal, id) => {
    try {
      return (await services.workflowPlatform.face("agent-workflow").runs.reader.summary(principal, id)).status;
    } catch (error) {
      if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  });
  services.workflowPlatform.retention.add({
    ...{ table: "builder_proposals", since: "created_at", settled: "not open", run: "execution_id" },
    setting: { module: "module-workflows", key: "RETENTION_RUNS_DAYS" },
  });
  const failedRuns = new FailedRuns(services);
  const maxCostMicros = async (tenantId: number, workflowId: number): Promise<number> => {
    const request = { module: "module-builder", key: "REPAIR_MAX_COST_MICROS", tenantId, instance: String(workflowId) };
    return Number((await services.config.resolve(request)).value);
  };
  return {
    ...{ services, tools: services.tools, desks, rows, failedRuns, publicUrl: environment.publicUrl },
    prover: new RepairProver(services),
    applier: new RepairApplier(services),
    repairs: new RepairService({ services, rows, failedRuns, maxCostMicros }),
  };
}

/** The steps of a repair. */
export function repairNodes(parts: () => RepairParts): NodeDefinition[] {
  return [gatherFailuresNode(parts), proveRepairNode(parts), askRepairNode(parts), applyRepairNode(parts)];
}

/** Makes the workflow that repairs once; later starts leave it as people changed it. */
export async function seedRepairWorkflow({ agentWorkflows }: ServiceMap): Promise<void> {
  await agentWorkflows.seedWorkflow({
    slug: REPAIR_WORKFLOW,
    shared: true,
    name: "Repair",
    description: "Proposes how to repair an agent workflow from its failed runs, proves it, and asks a person.",
    // cast: a definition is JSON, only its type has optional members
    definition: repairDefinition as unknown as JsonObject,
  });
}
