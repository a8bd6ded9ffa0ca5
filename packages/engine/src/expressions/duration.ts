import { OvenError } from "@oven/contract";
import { durationToMs } from "@oven/contract/workflow";

/**
 * Milliseconds of an integer (milliseconds) or an ISO-8601 duration of weeks, days, hours, minutes and seconds.
 * Months and years have no fixed length and are refused.
 * @throws OvenError DURATION_INVALID
 */
export function parseDuration(value: number | string): number {
  if (typeof value === "number") {
    if (Number.isSafeInteger(value) && value >= 0) return value;
    throw invalid(String(value));
  }
  const ms = durationToMs(value);
  if (ms === undefined) throw invalid(value);
  return ms;
}

function invalid(value: string): OvenError {
  return new OvenError("DURATION_INVALID", `${value} is not a duration`, {
    fix: "Write milliseconds (900000) or an ISO-8601 duration of weeks, days, hours, minutes, seconds (PT15M).",
  });
}
