import type { Json } from "@oven/contract";
import { durationToMs } from "@oven/contract/workflow";
import type { Field, Shape } from "./shape.ts";

/** Units of time, the smallest first. */
export const TIME_UNITS = ["milliseconds", "seconds", "minutes", "hours", "days"] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

const MS: Record<TimeUnit, number> = {
  milliseconds: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

/** How a time is written in the definition: milliseconds alone, or an ISO-8601 duration. */
export type TimeFormat = "ms" | "iso";

/** How a field writes a time; null: it is none. */
export function timeFormatOf({ name, shape }: Pick<Field, "name" | "shape">): TimeFormat | null {
  if (shape.kind === "number") return shape.integer && /Ms$/.test(name) ? "ms" : null;
  if (shape.kind !== "scalar" || shape.options.length !== 2) return null;
  const text = shape.options.find(({ type }) => type === "string");
  const isDuration = typeof text?.limits.pattern === "string" && text.limits.pattern.startsWith("^P(?=");
  return isDuration && shape.options.some(({ type }) => type === "integer" || type === "number") ? "iso" : null;
}

/** An amount in the largest unit that gives a whole number; undefined: the value is no time. */
export function readTime(value: Json | undefined): { amount: number; unit: TimeUnit } | undefined {
  const ms = typeof value === "number" ? value : typeof value === "string" ? durationToMs(value) : undefined;
  if (ms === undefined) return undefined;
  const unit = TIME_UNITS.toReversed().find((one) => ms !== 0 && ms % MS[one] === 0) ?? "milliseconds";
  return { amount: ms / MS[unit], unit };
}

/** How much of a unit a value is; undefined: the value is no time. */
export function amountIn(value: Json | undefined, unit: TimeUnit): number | undefined {
  const read = readTime(value);
  return read === undefined ? undefined : (read.amount * MS[read.unit]) / MS[unit];
}

/** The value of a definition: `PT15M`, or 900000. Undefined without an amount. */
export function writeTime(amount: number | undefined, unit: TimeUnit, format: TimeFormat): Json | undefined {
  if (amount === undefined) return undefined;
  const ms = Math.round(amount * MS[unit]);
  if (format === "ms" || ms % 1_000 !== 0 || ms < 0) return ms;
  if (unit === "days") return `P${amount}D`;
  if (unit === "milliseconds") return `PT${ms / 1_000}S`;
  return `PT${amount}${unit.charAt(0).toUpperCase()}`;
}

/** Whether a number is an amount of money in millionths of a dollar. */
export function isMoney({ name, shape }: Pick<Field, "name" | "shape">): boolean {
  return shape.kind === "number" && /Micros$/.test(name);
}

/** The ends of a scale on which a number is set by a slider; null: it has none. */
export function scaleOf(shape: Shape): { least: number; most: number } | null {
  if (shape.kind !== "number" || shape.integer) return null;
  const { minimum, maximum } = shape.limits;
  return typeof minimum === "number" && typeof maximum === "number" && maximum - minimum <= 10
    ? { least: minimum, most: maximum }
    : null;
}
