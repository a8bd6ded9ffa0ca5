import { durationToMs } from "../../../../packages/contract/src/doors/workflow.ts";
import type { Json, JsonObject } from "../../../../packages/contract/src/index.ts";

/** What the longest duration of a definition becomes: the others are apart by more than timers are late. */
const LONGEST_MS = 600;
const LEAST_MS = 1;

/** Members whose value is a duration. */
const DURATIONS = new Set(["dueIn", "deadline", "ms", "initialMs", "maxMs"]);

/** A definition in which time goes by fast: all durations that are written out, by the same factor. */
export function shortenDurations(definition: JsonObject): JsonObject {
  let longest = LONGEST_MS;
  mapDurations(definition, (ms) => {
    longest = Math.max(longest, ms);
    return ms;
  });
  const factor = LONGEST_MS / longest;
  const short = mapDurations(definition, (ms) => Math.max(LEAST_MS, Math.round(ms * factor)));
  return short as JsonObject; // cast: an object stays one
}

function mapDurations(value: Json, map: (ms: number) => number): Json {
  if (Array.isArray(value)) return value.map((one) => mapDurations(one, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === "after" && isObject(member)) return [key, mapTimers(member, map)];
      const ms = DURATIONS.has(key) ? toMs(member) : undefined;
      return [key, ms === undefined ? mapDurations(member, map) : map(ms)];
    }),
  );
}

/** The keys of timers are the durations. */
function mapTimers(timers: JsonObject, map: (ms: number) => number): JsonObject {
  return Object.fromEntries(
    Object.entries(timers).map(([after, transition]) => {
      const ms = toMs(after);
      return [ms === undefined ? after : String(map(ms)), mapDurations(transition, map)];
    }),
  );
}

function toMs(duration: Json): number | undefined {
  if (typeof duration === "number") return duration;
  if (typeof duration !== "string") return undefined;
  return /^\d+$/.test(duration) ? Number(duration) : durationToMs(duration);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
