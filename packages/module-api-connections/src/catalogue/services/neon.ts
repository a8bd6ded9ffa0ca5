import type { CataloguedService } from "@oven/contract/api";

export const neon: CataloguedService = {
  slug: "neon",
  name: "Neon",
  category: "operations",
  description: "PostgreSQL databases, branches and queries.",
  documentation: "https://neon.com/docs/ai/neon-mcp-server",
  source: {
    type: "mcp",
    url: "https://mcp.neon.tech/mcp",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
