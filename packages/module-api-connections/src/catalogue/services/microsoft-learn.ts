import type { CataloguedService } from "@oven/contract/api";

export const microsoftLearn: CataloguedService = {
  slug: "microsoft-learn",
  name: "Microsoft Learn",
  category: "development",
  description: "Search Microsoft's technical documentation.",
  documentation: "https://learn.microsoft.com/training/support/mcp",
  source: {
    type: "mcp",
    url: "https://learn.microsoft.com/api/mcp",
    auth: "none",
  },
  steps: ["Nothing is needed: the server is open to all."],
  notes: [],
  checkedAt: "2026-11-29",
};
