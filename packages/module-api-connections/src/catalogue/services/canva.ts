import type { CataloguedService } from "@oven/contract/api";

export const canva: CataloguedService = {
  slug: "canva",
  name: "Canva",
  category: "files",
  description: "Designs: search, create and export.",
  documentation: "https://www.canva.dev/docs/connect/mcp-server/",
  source: {
    type: "mcp",
    url: "https://mcp.canva.com/mcp",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: ["Canva may admit only clients that it knows; test the connection first."],
  checkedAt: "2026-11-29",
};
