export { executorChains } from "./tables/executor-chains.table.ts";
