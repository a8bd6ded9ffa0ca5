export { dataContainerInstances, dataContainers } from "./tables/data-containers.table.ts";
export { linearStepInstances } from "./tables/linear-step-instances.table.ts";
export { linearSteps } from "./tables/linear-steps.table.ts";
export { linearTriggers } from "./tables/linear-triggers.table.ts";
export { linearWorkflows } from "./tables/linear-workflows.table.ts";
