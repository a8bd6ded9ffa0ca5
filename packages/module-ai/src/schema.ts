export { aiAliases } from "./tables/ai-aliases.table.ts";
export { aiDocumentContents, aiDocuments } from "./tables/ai-documents.table.ts";
export { aiUsageLogs } from "./tables/ai-usage-logs.table.ts";
export { aiVectorItems } from "./tables/ai-vector-items.table.ts";
export { aiVectorStores } from "./tables/ai-vector-stores.table.ts";
