export { aiAliases } from "./tables/ai-aliases.table.ts";
export { aiCachedAnswers, aiRecordedAnswers } from "./tables/ai-answers.table.ts";
export { aiBudgetSpend, aiBudgets } from "./tables/ai-budgets.table.ts";
export { aiGuardrails } from "./tables/ai-guardrails.table.ts";
export { aiPrices } from "./tables/ai-prices.table.ts";
export { aiProviders } from "./tables/ai-providers.table.ts";
export { aiRateLimits } from "./tables/ai-rate-limits.table.ts";
export { aiUsageLogs } from "./tables/ai-usage-logs.table.ts";
