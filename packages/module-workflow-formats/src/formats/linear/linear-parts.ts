import type { ContainerService } from "./container-service.ts";
import type { DataInstances } from "./data-instances.ts";
import type { InstanceService } from "./instance-service.ts";
import type { LinearDocuments } from "./linear-documents.ts";
import type { LinearService } from "./linear-service.ts";
import type { LinearStore } from "./linear-store.ts";
import type { StepInstances } from "./step-instances.ts";
import type { StepService } from "./step-service.ts";
import type { TriggerManager } from "./trigger-manager.ts";

/** What the routes of linear workflows ask. */
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
}
