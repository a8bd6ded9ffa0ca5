import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { operationOf } from "./app-fields.ts";
import { type Given, limitOf } from "./app-given.ts";
import { type App, type AppPlan, listOf, ONE_PAGE, refuseMore } from "./app-steps.ts";
import { computed, isExpression, js } from "./app-values.ts";

const API = "https://www.googleapis.com/youtube/v3";
/** As many as YouTube hands on at once. */
const PAGE = 50;
const ITEMS = "answer.items ?? []";

export const YOUTUBE: App = {
  title: "YouTube",
  credential: "youTubeOAuth2Api",
  secret: "youtube",
  plan: (given) =>
    operationOf(given, OPERATIONS, {
      resource: "channel",
      operation: { channel: "getAll", playlist: "getAll", playlistItem: "add", video: "getAll" },
    })(given),
};

const VIDEO_PARTS = [
  ...["contentDetails", "id", "liveStreamingDetails", "localizations", "player", "recordingDetails", "snippet"],
  ...["statistics", "status", "topicDetails"],
];

const OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "video:get": (given) => {
    const query = { part: partsOf(given, VIDEO_PARTS), id: given.need("videoId"), ...optionsOf(given, "options") };
    return { steps: [{ what: "request", method: "GET", url: `${API}/videos`, query }, listOf(ITEMS)] };
  },
  "video:getAll": searchVideos,
  "video:update": updateVideo,
  "playlistItem:getAll": (given) =>
    paged(given, `${API}/playlistItems`, {
      playlistId: given.need("playlistId"),
      part: partsOf(given, ["contentDetails", "id", "snippet", "status"]),
      ...optionsOf(given, "options"),
    }),
  "playlistItem:add": addToPlaylist,
};

/** @throws NoEquivalent where that is computed */
function partsOf(given: Given, all: readonly string[]): string {
  const parts = given.or("part", ["*"]);
  if (!Array.isArray(parts)) throw new NoEquivalent("which parts it asks for is computed");
  return parts.includes("*") ? all.join(",") : parts.join(",");
}

/** Settings that are parameters of the request as they are. */
function optionsOf(given: Given, name: string): JsonObject {
  const values = given.group(name).all();
  if (Object.values(values).some((value) => typeof value === "object"))
    throw new NoEquivalent(`its ${name} have a list or an object`);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

function paged(given: Given, url: string, query: JsonObject): AppPlan {
  const count = limitOf(given, { limit: 25 });
  const maxResults = Math.min(PAGE, count ?? PAGE);
  const more = count === undefined ? [refuseMore("answer.nextPageToken !== undefined", PAGE)] : [];
  return {
    steps: [{ what: "request", method: "GET", url, query: { ...query, maxResults } }, listOf(ITEMS, ...more)],
    notes: count === undefined ? [ONE_PAGE(PAGE)] : [],
  };
}

/** Without a filter it finds videos of the account. */
function searchVideos(given: Given): AppPlan {
  const filters = optionsOf(given, "filters");
  const mine: JsonObject = Object.keys(filters).length === 0 ? { forMine: true } : {};
  return paged(given, `${API}/search`, {
    ...{ part: "snippet", type: "video", ...mine },
    ...optionsOf(given, "options"),
    ...filters,
  });
}

const split = (value: Json): Json =>
  isExpression(value) ? computed(`String(${js(value)}).split(",")`) : String(value).split(",");

function updateVideo(given: Given): AppPlan {
  const { categoryId, title, videoId } = {
    ...{ categoryId: given.need("categoryId"), title: given.need("title"), videoId: given.need("videoId") },
  };
  given.skip("regionCode");
  const fields = given.group("updateFields");
  const snippet: JsonObject = { title, categoryId };
  const status: JsonObject = {};
  const recordingDetails: JsonObject = {};
  const take = (into: JsonObject, ...names: string[]): void => {
    for (const name of names) {
      const value = fields.get(name);
      if (value !== undefined && value !== false) into[name] = name === "tags" ? split(value) : value;
    }
  };
  take(snippet, "description", "tags", "defaultLanguage");
  take(
    status,
    ...["privacyStatus", "embeddable", "publicStatsViewable", "publishAt", "selfDeclaredMadeForKids", "license"],
  );
  take(recordingDetails, "recordingDate");
  fields.skip("notifySubscribers");
  const body = { id: videoId, snippet, status, recordingDetails };
  const query = { part: "snippet, status, recordingDetails" };
  return { steps: [{ method: "PUT", url: `${API}/videos`, query, body }] };
}

function addToPlaylist(given: Given): AppPlan {
  const options = given.group("options");
  const position = options.get("position");
  const snippet: JsonObject = {
    playlistId: given.need("playlistId"),
    resourceId: { kind: "youtube#video", videoId: given.need("videoId") },
    ...(position === undefined || position === 0 ? {} : { position }),
  };
  const contentDetails: JsonObject = {};
  for (const name of ["note", "startAt", "endAt"]) {
    const value = options.get(name);
    if (value !== undefined && !isObject(value)) contentDetails[name] = value;
  }
  const query = { part: "snippet, contentDetails" };
  return { steps: [{ method: "POST", url: `${API}/playlistItems`, query, body: { snippet, contentDetails } }] };
}
