import type { CataloguedService } from "@oven/contract/api";

export const googleDocs: CataloguedService = {
  slug: "google-docs",
  name: "Google Docs",
  category: "files",
  description: "Text documents: read, create and change.",
  documentation: "https://developers.google.com/workspace/docs/api/reference/rest",
  source: {
    type: "url",
    url: "https://api.apis.guru/v2/specs/googleapis.com/docs/v1/openapi.json",
  },
  serverUrl: "https://docs.googleapis.com",
  auth: {
    type: "oauth",
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    scope: "https://www.googleapis.com/auth/documents",
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
  operations: ["GET /v1/documents/{documentId}", "POST /v1/documents", "POST /v1/documents/{documentId}:batchUpdate"],
  notes: ["Google publishes no OpenAPI document of its own; this one is converted by APIs.guru."],
  checkedAt: "2026-11-29",
};
