import type { CataloguedService } from "@oven/contract/api";

export const youtube: CataloguedService = {
  slug: "youtube",
  name: "YouTube",
  category: "communication",
  description: "Videos, channels, playlists and comments.",
  documentation: "https://developers.google.com/youtube/v3/docs",
  source: {
    type: "url",
    url: "https://api.apis.guru/v2/specs/googleapis.com/youtube/v3/openapi.json",
  },
  serverUrl: "https://youtube.googleapis.com",
  auth: {
    type: "oauth",
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    scope: "https://www.googleapis.com/auth/youtube.readonly",
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
    "GET /youtube/v3/search",
    "GET /youtube/v3/videos",
    "GET /youtube/v3/channels",
    "GET /youtube/v3/playlists",
    "GET /youtube/v3/playlistItems",
    "GET /youtube/v3/commentThreads",
  ],
  notes: ["Google publishes no OpenAPI document of its own; this one is converted by APIs.guru."],
  checkedAt: "2026-11-29",
};
