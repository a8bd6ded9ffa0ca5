import { OvenError } from "@oven/contract";
import { parseDuration } from "@oven/engine";
import { defineTool, type ToolDefinition } from "@oven/module-registry";
import { z } from "zod";
import { calculate, FUNCTION_NAMES } from "./calculate.ts";

const permission = "tools.use";
const Instant = z.iso.datetime({ offset: true }).describe("ISO 8601 with its offset: 2026-03-01T12:00:00Z");
const DAY_MS = 86_400_000;

const calculator = defineTool({
  id: "math.calculate",
  title: "Calculate",
  description: `Calculates an arithmetic expression with + - * / % ^, parentheses, pi, e and ${FUNCTION_NAMES.join(", ")}`,
  input: z.strictObject({ expression: z.string().min(1).max(1_000).describe("`round(19.99 * 1.19, 2)`") }),
  output: z.strictObject({ value: z.number() }),
  effect: "pure",
  permission,
  run: async ({ input }) => ({ value: calculate(input.expression) }),
});

const now = defineTool({
  id: "time.now",
  title: "What time it is",
  description: "Says date, time and weekday, in a time zone",
  input: z.strictObject({ timeZone: z.string().min(1).max(64).default("Etc/UTC").describe("`Europe/Lisbon`") }),
  output: z.strictObject({ instant: z.string(), local: z.string(), weekday: z.string(), timeZone: z.string() }),
  effect: "pure",
  permission,
  run: async ({ input: { timeZone } }) => toLocal(new Date(), timeZone),
});

const add = defineTool({
  id: "time.add",
  title: "Add to a time",
  description: "Says what time it is a duration after an instant, or before it",
  input: z.strictObject({
    instant: Instant,
    duration: z.string().min(2).max(100).describe("ISO 8601: P3D, PT90M; a day has 24 hours"),
    direction: z.enum(["after", "before"]).default("after"),
    timeZone: z.string().min(1).max(64).default("Etc/UTC"),
  }),
  output: now.output,
  effect: "pure",
  permission,
  async run({ input: { instant, duration, direction, timeZone } }) {
    const milliseconds = parseDuration(duration) * (direction === "after" ? 1 : -1);
    return toLocal(new Date(Date.parse(instant) + milliseconds), timeZone);
  },
});

const between = defineTool({
  id: "time.between",
  title: "Time between two instants",
  description: "Says how much time lies between two instants; negative when `to` is the earlier one",
  input: z.strictObject({ from: Instant, to: Instant }),
  output: z.strictObject({ seconds: z.number(), hours: z.number(), days: z.number() }),
  effect: "pure",
  permission,
  async run({ input: { from, to } }) {
    const milliseconds = Date.parse(to) - Date.parse(from);
    return { seconds: milliseconds / 1_000, hours: milliseconds / 3_600_000, days: milliseconds / DAY_MS };
  },
});

/** What models are bad at: arithmetic and the calendar. */
export const everydayTools: ToolDefinition[] = [calculator, now, add, between];

function toLocal(date: Date, timeZone: string) {
  try {
    const parts = { timeZone, dateStyle: "short", timeStyle: "medium" } as const;
    // The Swedish way to write a date is year, month, day.
    const local = new Intl.DateTimeFormat("sv-SE", parts).format(date);
    const weekday = new Intl.DateTimeFormat("en", { timeZone, weekday: "long" }).format(date);
    return { instant: date.toISOString(), local, weekday, timeZone };
  } catch (error) {
    throw new OvenError("TOOL_INPUT_INVALID", `${timeZone} is no time zone, or the time is out of range`, {
      fix: "Use a name such as Europe/Lisbon or Etc/UTC.",
      cause: error,
    });
  }
}
