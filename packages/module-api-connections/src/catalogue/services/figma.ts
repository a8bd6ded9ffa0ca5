import type { CataloguedService } from "@oven/contract/api";

export const figma: CataloguedService = {
  slug: "figma",
  name: "Figma",
  category: "files",
  description: "Files, comments, images and components of designs.",
  documentation: "https://developers.figma.com/docs/rest-api/",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/figma/rest-api-spec/main/openapi/openapi.yaml",
  },
  serverUrl: "https://api.figma.com",
  auth: {
    type: "api-key",
    in: "header",
    name: "X-Figma-Token",
  },
  steps: ["In Figma's settings, open Security and generate a personal access token with the scopes that are needed."],
  operations: [
    "GET /v1/me",
    "GET /v1/files/{file_key}",
    "GET /v1/files/{file_key}/nodes",
    "GET /v1/images/{file_key}",
    "GET /v1/files/{file_key}/comments",
    "POST /v1/files/{file_key}/comments",
    "GET /v1/teams/{team_id}/projects",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
