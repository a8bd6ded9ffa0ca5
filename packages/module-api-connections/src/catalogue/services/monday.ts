import type { CataloguedService } from "@oven/contract/api";

export const monday: CataloguedService = {
  slug: "monday",
  name: "monday.com",
  category: "work",
  description: "Boards, items and updates.",
  documentation: "https://developer.monday.com/api-reference/docs/monday-mcp",
  source: {
    type: "mcp",
    url: "https://mcp.monday.com/mcp",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
