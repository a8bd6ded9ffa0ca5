import type { CataloguedService } from "@oven/contract/api";

export const googleDrive: CataloguedService = {
  slug: "google-drive",
  name: "Google Drive",
  category: "files",
  description: "Files and folders: search, read and create.",
  documentation: "https://developers.google.com/workspace/drive/api/reference/rest/v3",
  source: {
    type: "url",
    url: "https://api.apis.guru/v2/specs/googleapis.com/drive/v3/openapi.json",
  },
  serverUrl: "https://www.googleapis.com/drive/v3",
  auth: {
    type: "oauth",
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    scope: "https://www.googleapis.com/auth/drive.readonly https://www.googleapis.com/auth/drive.file",
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
    "GET /about",
    "GET /files",
    "GET /files/{fileId}",
    "GET /files/{fileId}/export",
    "POST /files",
    "GET /changes",
  ],
  notes: ["Google publishes no OpenAPI document of its own; this one is converted by APIs.guru."],
  checkedAt: "2026-11-29",
};
