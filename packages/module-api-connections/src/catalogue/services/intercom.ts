import type { CataloguedService } from "@oven/contract/api";

export const intercom: CataloguedService = {
  slug: "intercom",
  name: "Intercom",
  category: "customers",
  description: "Conversations, contacts and help articles.",
  documentation: "https://developers.intercom.com/docs/guides/mcp",
  source: {
    type: "mcp",
    url: "https://mcp.intercom.com/mcp",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
