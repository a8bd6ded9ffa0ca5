import type { Database } from "@oven/db";
import { type ServiceMap, WorkLoop } from "@oven/module-registry";
import { ContainerService } from "./container-service.ts";
import { contentOf, DataInstances } from "./data-instances.ts";
import { InstanceService } from "./instance-service.ts";
import { LinearCompiler } from "./linear-compiler.ts";
import { LinearDocuments } from "./linear-documents.ts";
import { LinearService } from "./linear-service.ts";
import { LinearStore } from "./linear-store.ts";
import { StepInstances } from "./step-instances.ts";
import { StepService } from "./step-service.ts";
import { StepSummaries } from "./step-summaries.ts";
import { TriggerManager } from "./trigger-manager.ts";

/** What the routes, nodes and tools of linear workflows ask. */
export interface LinearParts {
  workflows: LinearService;
  steps: StepService;
  stepInstances: StepInstances;
  triggers: TriggerManager;
  instances: InstanceService;
  containers: ContainerService;
  data: DataInstances;
  documents: LinearDocuments;
  store: LinearStore;
  summaries: WorkLoop;
}

export function createLinearParts(db: Database, services: ServiceMap): LinearParts {
  const { workflowPlatform } = services;
  const store = new LinearStore(db);
  const deps = { db, services, store };
  const data = new DataInstances(db, () => services.ai);
  const summaries = new WorkLoop("summaries of steps", () => new StepSummaries(db.system, services).work(), { db });
  const compiler = new LinearCompiler(deps);
  const steps = new StepService(deps, compiler, () => summaries.wake());
  const workflows = new LinearService(deps, compiler, steps);
  const stepInstances = new StepInstances(deps);
  const instances = new InstanceService(deps, { compiler, stepInstances, data });
  workflowPlatform.readDataWith(async (uuid, tenantId) => contentOf(await data.get({ tenantId }, uuid)));
  for (const table of ["data_container_instances", "linear_step_instances"]) {
    workflowPlatform.retention.add({
      table,
      since: "created_at",
      run: "execution_id",
      setting: { module: "module-workflows", key: "RETENTION_RUN_DETAIL_DAYS" },
    });
  }
  return {
    ...{ workflows, steps, stepInstances, store, summaries, data, instances },
    triggers: new TriggerManager(deps, compiler, workflows),
    containers: new ContainerService(deps, { data, instances }),
    documents: new LinearDocuments(deps, compiler, () => summaries.wake()),
  };
}
