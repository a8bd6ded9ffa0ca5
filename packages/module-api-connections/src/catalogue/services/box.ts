import type { CataloguedService } from "@oven/contract/api";

export const box: CataloguedService = {
  slug: "box",
  name: "Box",
  category: "files",
  description: "Files, folders, comments and shared links.",
  documentation: "https://developer.box.com/reference/",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/box/box-openapi/main/openapi.json",
  },
  serverUrl: "https://api.box.com/2.0",
  auth: {
    type: "oauth",
    authorizationUrl: "https://account.box.com/api/oauth2/authorize",
    tokenUrl: "https://api.box.com/oauth2/token",
    scope: "",
    clientIn: "body",
    parameters: {},
  },
  steps: [
    "Create a custom app with user authentication (OAuth 2.0) in the Box developer console.",
    "Its scopes are chosen there: reading is enough unless workflows write files.",
  ],
  operations: [
    "GET /users/me",
    "GET /search",
    "GET /folders/{folder_id}",
    "GET /folders/{folder_id}/items",
    "GET /files/{file_id}",
    "POST /folders",
    "POST /comments",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
