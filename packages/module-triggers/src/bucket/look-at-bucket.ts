import { createHash } from "node:crypto";
import type { JsonObject } from "@oven/contract";
import type { Arrival, Firing, FiringContext } from "@oven/module-registry";
import { z } from "zod";
import { storeFile } from "../deliveries/delivery-blobs.ts";
import { type BucketObject, listBucket, readObject } from "./bucket-client.ts";
import type { BucketConfig } from "./bucket-config.ts";

/** Objects of one look, and their bytes; the others come at the next one, a second later. */
const MOST_AT_ONCE = 25;
const MOST_BYTES_AT_ONCE = 50 * 1_048_576;
/** An upload in parts is dated by its beginning, and is listed when it has ended. */
const LONGEST_UPLOAD_MS = 6 * 3_600_000;

const StateSchema = z.looseObject({
  /** Older objects are not looked at; absent: the bucket was not looked at yet. */
  from: z.iso.datetime().optional(),
  /** By their hashes, those that were taken and are not older than that. */
  taken: z.array(z.string()).default([]),
});

/** Lists what is new under a prefix, and fetches it. An object is new when its key or its content is. */
export async function lookAtBucket(context: FiringContext<BucketConfig>): Promise<Firing> {
  const { config, now } = context;
  const { from, taken } = StateSchema.parse(context.state);
  const { objects, at = now } = await listBucket(context);
  const next = new Date(now.getTime() + config.everySeconds * 1_000);
  if (from === undefined && config.existing === "skip")
    return { arrivals: [], next, state: stateOf(objects.map(hashOf), objects, at) };
  const known = new Set(taken);
  const fresh = objects
    .filter((object) => from === undefined || object.lastModified >= new Date(from))
    .filter((object) => !known.has(hashOf(object)))
    .sort((one, other) => one.lastModified.getTime() - other.lastModified.getTime() || (one.key < other.key ? -1 : 1));
  const chosen = firstOf(fresh, config);
  const arrivals: Arrival[] = [];
  for (const object of chosen) {
    const arrival = await toArrival(context, object);
    if (arrival !== undefined) arrivals.push(arrival);
  }
  const hashes = [...known, ...chosen.map(hashOf)];
  if (chosen.length === fresh.length) return { arrivals, next, state: stateOf(hashes, objects, at) };
  const state = { taken: hashes, ...(from === undefined ? {} : { from }) };
  return { arrivals, next: new Date(now.getTime() + 1_000), state };
}

/** What lies there no more, or is older than what is looked at, needs not be known. */
function stateOf(hashes: readonly string[], objects: readonly BucketObject[], at: Date): JsonObject {
  const from = new Date(at.getTime() - LONGEST_UPLOAD_MS);
  const listed = new Set(objects.filter(({ lastModified }) => lastModified >= from).map(hashOf));
  return { from: from.toISOString(), taken: hashes.filter((hash) => listed.has(hash)) };
}

function firstOf(fresh: readonly BucketObject[], { maxFileBytes }: BucketConfig): BucketObject[] {
  let bytes = 0;
  const first = fresh.slice(0, MOST_AT_ONCE).findIndex(({ sizeBytes }) => {
    bytes += sizeBytes > maxFileBytes ? 0 : sizeBytes;
    return bytes > MOST_BYTES_AT_ONCE;
  });
  return fresh.slice(0, first === -1 ? MOST_AT_ONCE : Math.max(1, first));
}

function hashOf({ key, etag }: BucketObject): string {
  return createHash("sha256")
    .update(JSON.stringify([key, etag]))
    .digest("base64url");
}

async function toArrival(context: FiringContext<BucketConfig>, object: BucketObject): Promise<Arrival | undefined> {
  const { config, tenantId, triggerId, services } = context;
  const { key: objectKey, etag, sizeBytes, lastModified } = object;
  const key = `object:${hashOf(object)}`;
  const filename = objectKey.slice(objectKey.lastIndexOf("/") + 1);
  const about = { bucket: config.bucket, key: objectKey, etag, sizeBytes, lastModified: lastModified.toISOString() };
  if (sizeBytes > config.maxFileBytes) {
    const skipped = `It is larger than ${config.maxFileBytes} bytes`;
    return { key, payload: { ...about, file: { filename, contentType: null, sizeBytes, skipped } } };
  }
  const read = await readObject(context, object);
  if (read === undefined) return undefined;
  const { data, contentType } = read;
  const blob = await storeFile({ blobs: services.blobs, tenantId, triggerId, key }, { filename, contentType, data });
  return { key, payload: { ...about, file: { filename, contentType, sizeBytes: data.byteLength, blob } } };
}
