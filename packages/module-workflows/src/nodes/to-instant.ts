import { parseDuration } from "@oven/engine";

/** A duration from now on, or an instant, as ISO-8601 UTC. */
export function toInstant(deadline: number | string): string {
  const isDuration = typeof deadline === "number" || deadline.startsWith("P");
  return new Date(isDuration ? Date.now() + parseDuration(deadline) : deadline).toISOString();
}
