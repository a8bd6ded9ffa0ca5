import type { CataloguedService } from "@oven/contract/api";

export const gmail: CataloguedService = {
  slug: "gmail",
  name: "Gmail",
  category: "communication",
  description: "Messages, threads, labels and drafts.",
  documentation: "https://developers.google.com/workspace/gmail/api/reference/rest",
  source: {
    type: "url",
    url: "https://api.apis.guru/v2/specs/googleapis.com/gmail/v1/openapi.json",
  },
  serverUrl: "https://gmail.googleapis.com",
  auth: {
    type: "oauth",
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    scope: "https://www.googleapis.com/auth/gmail.readonly https://www.googleapis.com/auth/gmail.compose",
    clientIn: "body",
    parameters: {
      access_type: "offline",
      prompt: "consent",
    },
  },
  steps: [
    "In the Google Cloud console, enable this API for a project, and create an OAuth client of the type web application.",
    "Add the scope below to the consent screen; people outside of your organization need an app that Google has verified.",
  ],
  operations: [
    "GET /gmail/v1/users/{userId}/messages",
    "GET /gmail/v1/users/{userId}/messages/{id}",
    "GET /gmail/v1/users/{userId}/threads/{id}",
    "GET /gmail/v1/users/{userId}/labels",
    "POST /gmail/v1/users/{userId}/drafts",
    "POST /gmail/v1/users/{userId}/messages/send",
  ],
  notes: ["Google publishes no OpenAPI document of its own; this one is converted by APIs.guru."],
  checkedAt: "2026-11-29",
};
