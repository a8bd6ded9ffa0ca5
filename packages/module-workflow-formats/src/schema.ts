export { executorChainResumes } from "./chains/tables/executor-chain-resumes.table.ts";
export { executorChains } from "./chains/tables/executor-chains.table.ts";
export { dataContainerInstances, dataContainers } from "./linear/tables/data-containers.table.ts";
export { linearStepInstances } from "./linear/tables/linear-step-instances.table.ts";
export { linearSteps } from "./linear/tables/linear-steps.table.ts";
export { linearTriggers } from "./linear/tables/linear-triggers.table.ts";
export { linearWorkflows } from "./linear/tables/linear-workflows.table.ts";
export { routedGraphs } from "./routed/tables/routed-graphs.table.ts";
export { sessionGraphs } from "./sessions/tables/session-graphs.table.ts";
