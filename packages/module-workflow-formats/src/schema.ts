export { executorChains } from "./formats/chains/tables/executor-chains.table.ts";
export { dataContainerInstances, dataContainers } from "./formats/linear/tables/data-containers.table.ts";
export { linearStepInstances } from "./formats/linear/tables/linear-step-instances.table.ts";
export { linearSteps } from "./formats/linear/tables/linear-steps.table.ts";
export { linearTriggers } from "./formats/linear/tables/linear-triggers.table.ts";
export { linearWorkflows } from "./formats/linear/tables/linear-workflows.table.ts";
export { routedGraphs } from "./formats/routed/tables/routed-graphs.table.ts";
export { sessionGraphs } from "./formats/sessions/tables/session-graphs.table.ts";
export { runContinuations } from "./shared/tables/run-continuations.table.ts";
