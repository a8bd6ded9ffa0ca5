import type { CataloguedService } from "@oven/contract/api";

export const googleSheets: CataloguedService = {
  slug: "google-sheets",
  name: "Google Sheets",
  category: "files",
  description: "Cells and rows of spreadsheets.",
  documentation: "https://developers.google.com/workspace/sheets/api/reference/rest",
  source: {
    type: "url",
    url: "https://api.apis.guru/v2/specs/googleapis.com/sheets/v4/openapi.json",
  },
  serverUrl: "https://sheets.googleapis.com",
  auth: {
    type: "oauth",
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    scope: "https://www.googleapis.com/auth/spreadsheets",
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
    "GET /v4/spreadsheets/{spreadsheetId}",
    "GET /v4/spreadsheets/{spreadsheetId}/values/{range}",
    "GET /v4/spreadsheets/{spreadsheetId}/values:batchGet",
    "POST /v4/spreadsheets/{spreadsheetId}/values/{range}:append",
    "PUT /v4/spreadsheets/{spreadsheetId}/values/{range}",
    "POST /v4/spreadsheets",
  ],
  notes: ["Google publishes no OpenAPI document of its own; this one is converted by APIs.guru."],
  checkedAt: "2026-11-29",
};
