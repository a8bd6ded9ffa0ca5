export { sessionGraphs } from "./tables/session-graphs.table.ts";
