import type { CataloguedService } from "@oven/contract/api";

export const vercel: CataloguedService = {
  slug: "vercel",
  name: "Vercel",
  category: "operations",
  description: "Projects, deployments and their events.",
  documentation: "https://vercel.com/docs/rest-api",
  source: {
    type: "url",
    url: "https://openapi.vercel.sh",
  },
  serverUrl: "https://api.vercel.com",
  auth: {
    type: "bearer",
  },
  steps: ["In the account settings, open Tokens and create one for the team that is needed."],
  operations: [
    "GET /v6/deployments",
    "GET /v13/deployments/{idOrUrl}",
    "GET /v9/projects/{idOrName}",
    "GET /v9/projects/{idOrName}/domains",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
