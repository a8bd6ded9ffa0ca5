import type { CataloguedService } from "@oven/contract/api";

export const spotify: CataloguedService = {
  slug: "spotify",
  name: "Spotify",
  category: "files",
  description: "Artists, albums, tracks and playlists.",
  documentation: "https://developer.spotify.com/documentation/web-api",
  source: {
    type: "url",
    url: "https://developer.spotify.com/reference/web-api/open-api-schema.yaml",
  },
  serverUrl: "https://api.spotify.com/v1",
  auth: {
    type: "client-credentials",
    tokenUrl: "https://accounts.spotify.com/api/token",
    scope: "",
    clientIn: "header",
  },
  steps: [
    "Create an app in the Spotify developer dashboard, and copy its client id and secret.",
    "This way sees the public catalogue; for a person's own playlists choose OAuth with a person who signs in.",
  ],
  operations: [
    "GET /search",
    "GET /artists/{id}",
    "GET /artists/{id}/albums",
    "GET /albums/{id}",
    "GET /tracks/{id}",
    "GET /playlists/{playlist_id}",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
