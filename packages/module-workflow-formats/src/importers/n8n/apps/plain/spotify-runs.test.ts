import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AppStory, startApps } from "../../testing/app-story.ts";
import { type PlainRow, runRow, runRows } from "../../testing/plain-story.ts";

let story: AppStory;
beforeAll(async () => {
  story = await startApps();
});
afterAll(() => story.stop());

const BASE = "https://api.spotify.com/v1";
const call = (method: string, path: string, body?: Json): JsonObject => ({
  ...{ method, url: `${BASE}${path}`, authorization: "Bearer secret of spotify" },
  ...(body === undefined ? {} : { body }),
});
const row = (parameters: JsonObject, more: Omit<PlainRow, "node">): PlainRow => ({
  node: ["spotify", 1, parameters],
  ...more,
});
/** What a player is asked; n8n hands on that it was. */
const play = (parameters: JsonObject, asked: JsonObject): PlainRow =>
  row(parameters, { input: { id: "7" }, answers: [{}], reads: "={{ $json.success }}", read: "true", asked: [asked] });

const ONE: readonly PlainRow[] = [
  play({ id: "=spotify:track:{{ $json.id }}" }, call("POST", "/me/player/queue?uri=spotify%3Atrack%3A7")),
  play({ operation: "nextSong" }, call("POST", "/me/player/next")),
  play({ operation: "previousSong" }, call("POST", "/me/player/previous")),
  play({ operation: "pause" }, call("PUT", "/me/player/pause")),
  play({ operation: "resume" }, call("PUT", "/me/player/play")),
  play({ operation: "volume" }, call("PUT", "/me/player/volume?volume_percent=50")),
  play(
    { operation: "startMusic", id: "=spotify:playlist:{{ $json.id }}" },
    call("PUT", "/me/player/play", { context_uri: "spotify:playlist:7" }),
  ),
  play(
    { resource: "playlist", operation: "delete", id: "spotify:playlist:p1", trackID: "=t{{ $json.id }}" },
    call("DELETE", "/playlists/p1/tracks", { tracks: [{ uri: "t7" }] }),
  ),
  row(
    { resource: "playlist", id: "={{ $json.uri }}", trackID: "t1,t2", additionalFields: { position: 0 } },
    {
      input: { uri: "spotify:playlist:p2" },
      ...{ answers: [{ snapshot_id: "s" }], reads: "={{ $json.snapshot_id }}", read: "s" },
      asked: [call("POST", "/playlists/p2/tracks?uris=t1%2Ct2&position=0")],
    },
  ),
  row(
    { resource: "playlist", operation: "create", name: "={{ $json.n }}", additionalFields: { public: false } },
    {
      ...{ input: { n: "Mine" }, answers: [{ id: "p3" }], reads: "={{ $json.id }}", read: "p3" },
      asked: [call("POST", "/me/playlists", { name: "Mine", public: false })],
    },
  ),
  row(
    { resource: "track", operation: "get", id: "spotify:track:t3" },
    { answers: [{ name: "Song" }], reads: "={{ $json.name }}", read: "Song", asked: [call("GET", "/tracks/t3")] },
  ),
  row(
    { operation: "currentlyPlaying" },
    {
      ...{ answers: [{ item: { name: "Song" } }], reads: "={{ $json.item.name }}", read: "Song" },
      asked: [call("GET", "/me/player/currently-playing")],
    },
  ),
];

const each = (...names: string[]) => ({ items: names.map((u) => ({ output: { u } })) });

it("asks what n8n's node asks, with what comes in", async () => {
  const { output, error, asked } = await runRows(story, ONE);
  expect(error).toBeNull();
  expect(output).toEqual(Object.fromEntries(ONE.map(({ read }, index) => [`r${index}`, read])));
  expect(asked).toEqual(ONE.flatMap((one) => one.asked));
});

it("hands on each entry of its lists", async () => {
  const reads = "={{ $json.name }}";
  const items = [{ name: "A" }, { name: "B" }];
  const run = async (parameters: JsonObject, answer: Json, input: JsonObject = {}) => {
    const ran = await runRow(story, row(parameters, { input, answers: [answer], reads, read: "", asked: [] }));
    return [ran.output, ran.asked];
  };
  expect(await run({ resource: "library", limit: 10 }, { items, next: "more" })).toMatchObject([
    each("A", "B"),
    [call("GET", "/me/tracks?limit=10")],
  ]);
  expect(await run({ resource: "library", limit: "={{ $json.n }}" }, { items }, { n: 2 })).toMatchObject([
    each("A", "B"),
    [call("GET", "/me/tracks?limit=2")],
  ]);
  const tracks = { resource: "playlist", operation: "getTracks", id: "spotify:playlist:p1", returnAll: true };
  expect(await run(tracks, { items, next: null })).toMatchObject([
    each("A", "B"),
    [call("GET", "/playlists/p1/tracks?limit=50")],
  ]);
  const search = { resource: "track", operation: "search", query: "so", limit: 1, filters: { market: "CH" } };
  expect(await run(search, { tracks: { items: [{ name: "C" }], next: "more" } })).toMatchObject([
    each("C"),
    [call("GET", "/search?q=so&type=track&limit=1&market=CH")],
  ]);
});

it("fails where all are asked for, and there are more than a page of them", async () => {
  const all = { resource: "playlist", operation: "getUserPlaylists", returnAll: true };
  const answers = [{ items: [{ name: "A" }], next: `${BASE}/me/playlists?offset=50` }];
  const { status, error } = await runRow(story, row(all, { answers, reads: "x", read: "", asked: [] }));
  expect([status, String(error)]).toEqual(["failed", expect.stringContaining("more than 50")]);
});
