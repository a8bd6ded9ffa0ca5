import type { CataloguedService } from "@oven/contract/api";

export const mailchimp: CataloguedService = {
  slug: "mailchimp",
  name: "Mailchimp",
  category: "customers",
  description: "Audiences, campaigns and reports of newsletters.",
  documentation: "https://mailchimp.com/developer/marketing/api/",
  source: {
    type: "url",
    url: "https://api.mailchimp.com/schema/3.0/Swagger.json?expand",
  },
  serverUrl: "https://us1.api.mailchimp.com/3.0",
  auth: {
    type: "basic",
    user: "oven",
  },
  steps: [
    "In the account's settings, open Extras, API keys, and create a key.",
    "Replace us1 in the server's address by what stands after the dash of the key.",
  ],
  operations: [
    "GET /ping",
    "GET /lists",
    "GET /lists/{list_id}/members",
    "GET /search-members",
    "PUT /lists/{list_id}/members/{subscriber_hash}",
    "POST /lists/{list_id}/members/{subscriber_hash}/tags",
    "GET /campaigns",
    "GET /reports/{campaign_id}",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
