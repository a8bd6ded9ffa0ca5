import type { CataloguedService } from "@oven/contract/api";

export const cloudflare: CataloguedService = {
  slug: "cloudflare",
  name: "Cloudflare",
  category: "operations",
  description: "Zones, workers and the rest of Cloudflare's API.",
  documentation: "https://developers.cloudflare.com/agents/model-context-protocol/mcp-servers-for-cloudflare/",
  source: {
    type: "mcp",
    url: "https://mcp.cloudflare.com/mcp",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
