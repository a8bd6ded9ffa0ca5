export { routedGraphs } from "./tables/routed-graphs.table.ts";
