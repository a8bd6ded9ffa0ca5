export { runContinuations } from "./shared/tables/run-continuations.table.ts";
