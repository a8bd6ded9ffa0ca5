import { parseDuration } from "@oven/engine";

/** A duration from `now` (epoch milliseconds) on, or an instant, as ISO-8601 UTC. */
export function toInstant(deadline: number | string, now: number): string {
  const isDuration = typeof deadline === "number" || deadline.startsWith("P");
  return new Date(isDuration ? now + parseDuration(deadline) : deadline).toISOString();
}
