import type { Json, JsonObject } from "@oven/contract";
import type { Given } from "../app-given.ts";
import type { App } from "../app-steps.ts";
import { computed, isExpression, js, url } from "../app-values.ts";
import { type Operation, type PlainOperation, plainApp, SUCCESS } from "../plain-app.ts";

const BASE = "https://api.spotify.com/v1";
/** As many as each of these lists hands on at once. */
const MOST = 50;

/** The id of what is named by its id or by its URI, such as `spotify:album:1`. */
function idOf(given: Given, kind: string): Json {
  const named = given.need("id", kind);
  const prefix = `spotify:${kind}:`;
  return isExpression(named)
    ? computed(`String(${js(named)}).replace(${JSON.stringify(prefix)}, "")`)
    : String(named).replace(prefix, "");
}

/** The address of something, or of what belongs to it. */
function at(given: Given, kind: string, more = ""): string {
  const path = url`/${idOf(given, kind)}`;
  return path.startsWith("=") ? `=${BASE}/${kind}s${path.slice(1)}${more}` : `${BASE}/${kind}s${path}${more}`;
}

const one =
  (kind: string): PlainOperation =>
  (given) => ({ method: "GET", url: at(given, kind) });

/** A list, of which one page is taken; how many are wanted may be computed. */
function paged(given: Given, page: string, operation: Pick<Operation, "path" | "url">): Operation {
  const list: Operation = { ...operation, method: "GET", list: `${page}.items` };
  return isExpression(given.or("limit", MOST)) && !given.flag("returnAll")
    ? { ...list, query: "limit" }
    : { ...list, paged: { count: "limit", most: MOST, isMore: `(${page}.next ?? null) !== null` } };
}

const listed =
  (path: string): PlainOperation =>
  (given) =>
    paged(given, "answer", { path });

const search =
  (kind: string): PlainOperation =>
  (given) => ({
    ...paged(given, `answer.${kind}s`, { path: "/search" }),
    ...{ fields: "q=query", queryFixed: { type: kind }, more: { filters: "market" } },
  });

/** What a player is asked to do; the answer says nothing. */
const player = (method: "PUT" | "POST", path: string, more: Partial<Operation> = {}): Operation => ({
  ...{ method, path: `/me/player/${path}`, take: SUCCESS },
  ...more,
});

export const SPOTIFY: App = plainApp({
  ...{ title: "Spotify", credential: "spotifyOAuth2Api", secret: "spotify", base: BASE },
  resource: "player",
  operation: { player: "addSongToQueue", playlist: "add", library: "getLikedTracks", album: "get", artist: "get" },
  operations: {
    "player:addSongToQueue": player("POST", "queue", { query: "uri=id" }),
    "player:nextSong": player("POST", "next"),
    "player:previousSong": player("POST", "previous"),
    "player:pause": player("PUT", "pause"),
    "player:resume": player("PUT", "play"),
    "player:startMusic": player("PUT", "play", { fields: "context_uri=id" }),
    "player:volume": (given) =>
      player("PUT", "volume", { queryFixed: { volume_percent: given.or("volumePercent", 50) } }),
    "player:currentlyPlaying": { method: "GET", path: "/me/player/currently-playing" },
    "library:getLikedTracks": listed("/me/tracks"),
    "playlist:getUserPlaylists": listed("/me/playlists"),
    "playlist:getTracks": (given) => paged(given, "answer", { url: at(given, "playlist", "/tracks") }),
    "playlist:create": {
      ...{ method: "POST", path: "/me/playlists", fields: "name" },
      more: { additionalFields: "description public" },
    },
    "playlist:add": (given) => ({
      ...{ method: "POST", url: at(given, "playlist", "/tracks") },
      query: "uris=trackID additionalFields.position?",
    }),
    "playlist:delete": (given) => {
      const body: JsonObject = { tracks: [{ uri: given.need("trackID", "track") }] };
      const address = at(given, "playlist", "/tracks");
      return {
        steps: [
          { what: "request", method: "DELETE", url: address, body: computed(js(body)) },
          { code: `return ${SUCCESS};` },
        ],
      };
    },
    "playlist:get": one("playlist"),
    "album:get": one("album"),
    "artist:get": one("artist"),
    "track:get": one("track"),
    "playlist:search": search("playlist"),
    "album:search": search("album"),
    "artist:search": search("artist"),
    "track:search": search("track"),
  },
});
