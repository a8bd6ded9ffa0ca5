import type { CataloguedService } from "@oven/contract/api";

export const sentry: CataloguedService = {
  slug: "sentry",
  name: "Sentry",
  category: "development",
  description: "Errors, events and releases of applications.",
  documentation: "https://docs.sentry.io/product/sentry-mcp/",
  source: {
    type: "mcp",
    url: "https://mcp.sentry.dev/mcp",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
