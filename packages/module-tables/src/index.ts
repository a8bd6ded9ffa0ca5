export { createTablesModule } from "./tables.module.ts";
