import type { CataloguedService } from "@oven/contract/api";

export const linear: CataloguedService = {
  slug: "linear",
  name: "Linear",
  category: "work",
  description: "Issues, projects and comments.",
  documentation: "https://linear.app/docs/mcp",
  source: {
    type: "mcp",
    url: "https://mcp.linear.app/mcp",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
