export { a2aCalls } from "./tables/a2a-calls.table.ts";
export { a2aConnections } from "./tables/a2a-connections.table.ts";
export { a2aContexts } from "./tables/a2a-contexts.table.ts";
export { a2aPushes } from "./tables/a2a-pushes.table.ts";
export { a2aTasks } from "./tables/a2a-tasks.table.ts";
