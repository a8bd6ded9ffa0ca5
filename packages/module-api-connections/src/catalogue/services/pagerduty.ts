import type { CataloguedService } from "@oven/contract/api";

export const pagerduty: CataloguedService = {
  slug: "pagerduty",
  name: "PagerDuty",
  category: "operations",
  description: "Incidents, services and who is on call.",
  documentation: "https://developer.pagerduty.com/api-reference/",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/PagerDuty/api-schema/main/reference/REST/openapiv3.json",
  },
  serverUrl: "https://api.pagerduty.com",
  auth: {
    type: "api-key",
    in: "header",
    name: "Authorization",
    prefix: "Token token=",
  },
  steps: ["Open Integrations, API Access Keys, and create a key; a read-only key is enough to look at incidents."],
  operations: [
    "GET /incidents",
    "GET /incidents/{id}",
    "PUT /incidents/{id}",
    "POST /incidents/{id}/notes",
    "GET /services",
    "GET /oncalls",
    "GET /schedules",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
