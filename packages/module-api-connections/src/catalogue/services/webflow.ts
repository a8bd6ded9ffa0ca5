import type { CataloguedService } from "@oven/contract/api";

export const webflow: CataloguedService = {
  slug: "webflow",
  name: "Webflow",
  category: "files",
  description: "Sites, pages and collections.",
  documentation: "https://developers.webflow.com/mcp/reference/getting-started",
  source: {
    type: "mcp",
    url: "https://mcp.webflow.com/mcp",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
