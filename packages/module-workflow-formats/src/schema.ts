export { runContinuations } from "./shared/tables/run-continuations.table.ts";
export { workflowImports } from "./shared/tables/workflow-imports.table.ts";
