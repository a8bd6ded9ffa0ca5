import type { CataloguedService } from "@oven/contract/api";

export const googleContacts: CataloguedService = {
  slug: "google-contacts",
  name: "Google Contacts",
  category: "customers",
  description: "Contacts of a person: search, create and change.",
  documentation: "https://developers.google.com/people/api/rest",
  source: {
    type: "url",
    url: "https://api.apis.guru/v2/specs/googleapis.com/people/v1/openapi.json",
  },
  serverUrl: "https://people.googleapis.com",
  auth: {
    type: "oauth",
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    scope: "https://www.googleapis.com/auth/contacts",
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
    "GET /v1/people:searchContacts",
    "GET /v1/{resourceName}/connections",
    "GET /v1/{resourceName}",
    "POST /v1/people:createContact",
    "PATCH /v1/{resourceName}:updateContact",
  ],
  notes: ["Google publishes no OpenAPI document of its own; this one is converted by APIs.guru."],
  checkedAt: "2026-11-29",
};
