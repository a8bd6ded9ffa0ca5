import type { CataloguedService } from "@oven/contract/api";

export const netlify: CataloguedService = {
  slug: "netlify",
  name: "Netlify",
  category: "operations",
  description: "Sites, deploys and forms.",
  documentation: "https://docs.netlify.com/api-and-cli-guides/api-guides/get-started-with-api/",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/netlify/open-api/master/swagger.yml",
  },
  serverUrl: "https://api.netlify.com/api/v1",
  auth: {
    type: "bearer",
  },
  steps: ["In the user settings, open Applications and create a personal access token."],
  operations: [
    "GET /accounts",
    "GET /sites",
    "GET /sites/{site_id}",
    "GET /sites/{site_id}/deploys",
    "POST /sites/{site_id}/builds",
    "GET /sites/{site_id}/forms",
    "GET /forms/{form_id}/submissions",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
