import type { DecisionProvider } from "@oven/contract/system";

/** What the services are called. */
export const PROVIDER_WORDS: Record<DecisionProvider, string> = { slack: "Slack", teams: "Microsoft Teams" };
