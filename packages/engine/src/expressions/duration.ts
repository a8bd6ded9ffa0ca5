import { OvenError } from "@oven/contract";
import { ISO_DURATION } from "@oven/contract/workflow";

const UNITS = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000];

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
  const match = ISO_DURATION.exec(value);
  if (!match) throw invalid(value);
  return Math.round(UNITS.reduce((total, unit, index) => total + Number(match[index + 1] ?? 0) * unit, 0));
}

function invalid(value: string): OvenError {
  return new OvenError("DURATION_INVALID", `${value} is not a duration`, {
    fix: "Write milliseconds (900000) or an ISO-8601 duration of weeks, days, hours, minutes, seconds (PT15M).",
  });
}
