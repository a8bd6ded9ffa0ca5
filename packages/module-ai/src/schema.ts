export { aiAliases } from "./tables/ai-aliases.table.ts";
export { aiUsageLogs } from "./tables/ai-usage-logs.table.ts";
