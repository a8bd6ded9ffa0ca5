import type { CataloguedService } from "@oven/contract/api";

export const supabase: CataloguedService = {
  slug: "supabase",
  name: "Supabase",
  category: "operations",
  description: "Projects, tables, queries and logs.",
  documentation: "https://supabase.com/docs/guides/getting-started/mcp",
  source: {
    type: "mcp",
    url: "https://mcp.supabase.com/mcp?read_only=true",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: ["The address lets agents read only; leave read_only out where they may write."],
  checkedAt: "2026-11-29",
};
