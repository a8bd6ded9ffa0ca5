import type { CataloguedService } from "@oven/contract/api";

export const notion: CataloguedService = {
  slug: "notion",
  name: "Notion",
  category: "work",
  description: "Pages, databases and comments of a Notion workspace.",
  documentation: "https://developers.notion.com/docs/mcp",
  source: {
    type: "mcp",
    url: "https://mcp.notion.com/mcp",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
