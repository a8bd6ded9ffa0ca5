import type { CataloguedService } from "@oven/contract/api";

export const trello: CataloguedService = {
  slug: "trello",
  name: "Trello",
  category: "work",
  description: "Boards, lists and cards.",
  documentation: "https://developer.atlassian.com/cloud/trello/rest/",
  source: {
    type: "url",
    url: "https://developer.atlassian.com/cloud/trello/swagger.v3.json",
  },
  serverUrl: "https://api.trello.com/1",
  auth: {
    type: "api-key",
    in: "header",
    name: "Authorization",
  },
  steps: [
    "Create a Power-Up at trello.com/power-ups/admin; its API key page also makes a token.",
    'The secret\'s value is OAuth oauth_consumer_key="KEY", oauth_token="TOKEN" with your key and token.',
  ],
  operations: [
    "GET /members/{id}/boards",
    "GET /boards/{id}",
    "GET /boards/{id}/lists",
    "GET /boards/{id}/cards",
    "POST /cards",
    "GET /cards/{id}",
    "PUT /cards/{id}",
    "POST /cards/{id}/actions/comments",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
