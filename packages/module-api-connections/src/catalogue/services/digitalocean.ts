import type { CataloguedService } from "@oven/contract/api";

export const digitalocean: CataloguedService = {
  slug: "digitalocean",
  name: "DigitalOcean",
  category: "operations",
  description: "Droplets, apps, databases and domains.",
  documentation: "https://docs.digitalocean.com/reference/api/",
  source: {
    type: "url",
    url: "https://api-engineering.nyc3.cdn.digitaloceanspaces.com/spec-ci/DigitalOcean-public.v2.yaml",
  },
  serverUrl: "https://api.digitalocean.com",
  auth: {
    type: "bearer",
  },
  steps: [
    "In the control panel, open API and generate a token with custom scopes; reading is enough to look at what runs.",
  ],
  operations: [
    "GET /v2/account",
    "GET /v2/droplets",
    "GET /v2/droplets/{droplet_id}",
    "GET /v2/apps",
    "GET /v2/apps/{id}",
    "GET /v2/databases",
    "GET /v2/domains",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
