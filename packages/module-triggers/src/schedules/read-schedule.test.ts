import { describe, expect, it } from "vitest";
import { describeSchedule } from "./describe-schedule.ts";
import { readSchedule } from "./read-schedule.ts";

// A Friday afternoon, the day before Vienna's clocks go back.
const NOW = new Date("2026-10-23T13:00:00Z");
const VIENNA = "Europe/Vienna";

describe("a schedule in words", () => {
  it.each([
    ["daily at 9am", "0 9 * * *"],
    ["Every day at 17:30.", "30 17 * * *"],
    ["daily", "0 0 * * *"],
    ["every weekday at 8:30", "30 8 * * MON-FRI"],
    ["weekdays at 9am", "0 9 * * MON-FRI"],
    ["every weekend at noon", "0 12 * * SAT,SUN"],
    ["every monday at 10", "0 10 * * MON"],
    ["every monday, wednesday and friday at 7pm", "0 19 * * MON,WED,FRI"],
    ["weekly on tuesday at 6 am", "0 6 * * TUE"],
    ["monthly on the 15th at 9am", "0 9 15 * *"],
    ["last day of the month at 23:00", "0 23 L * *"],
    ["every 15 minutes", "*/15 * * * *"],
    ["hourly", "0 * * * *"],
    ["sundays at 9am", "0 9 * * SUN"],
    ["every 6 hours", "0 */6 * * *"],
    ["0 9 * * MON-FRI", "0 9 * * MON-FRI"],
  ])("reads %s as %s [001-187]", async (text, cron) => {
    expect(await readSchedule(text, VIENNA, NOW)).toEqual({ cron, timezone: VIENNA });
  });

  it.each([
    ["tomorrow 9am", "2026-10-24T07:00:00.000Z"],
    // After the clocks went back, nine on the wall is another instant.
    ["on sunday at 9am", "2026-10-25T08:00:00.000Z"],
    ["sunday at 9am", "2026-10-25T08:00:00.000Z"],
    ["in 2 hours", "2026-10-23T15:00:00.000Z"],
    ["in 45 hours", "2026-10-25T10:00:00.000Z"],
    ["2026-12-24 18:00", "2026-12-24T17:00:00.000Z"],
    ["next friday at noon", "2026-10-30T11:00:00.000Z"],
  ])("reads %s as one instant on the clock of the zone [001-186]", async (text, at) => {
    expect(await readSchedule(text, VIENNA, NOW)).toEqual({ at, timezone: VIENNA });
  });

  it.each([
    ["every 7 minutes"],
    ["now and then"],
    ["daily at banana"],
    ["every full moon"],
    ["yesterday at 9am"],
    ["2020-01-01 09:00"],
    ["daily at 25:99"],
  ])("refuses %s instead of guessing", async (text) => {
    await expect(readSchedule(text, VIENNA, NOW)).rejects.toMatchObject({ code: "INVALID_TRIGGER" });
  });

  it("says it back in exact terms", async () => {
    const preview = describeSchedule(await readSchedule("every weekday at 9am", VIENNA, NOW), NOW, 3);
    expect(preview).toMatchObject({
      cron: "0 9 * * MON-FRI",
      says: "At 09:00, Monday through Friday (Europe/Vienna)",
      next: ["2026-10-26T08:00:00.000Z", "2026-10-27T08:00:00.000Z", "2026-10-28T08:00:00.000Z"],
    });
    expect(describeSchedule(await readSchedule("tomorrow 9am", VIENNA, NOW), NOW, 3)).toMatchObject({
      cron: null,
      at: "2026-10-24T07:00:00.000Z",
      says: "Once, Saturday, 24 October 2026 at 09:00 (Europe/Vienna)",
    });
  });

  it("says the last friday of the month, however it is written", async () => {
    for (const cron of ["0 17 * * FRI#L", "0 17 * * 5L"])
      expect(describeSchedule({ cron, timezone: VIENNA }, NOW, 1)).toMatchObject({
        says: "At 17:00, on the last Friday of the month (Europe/Vienna)",
        next: ["2026-10-30T16:00:00.000Z"],
      });
  });

  it("refuses a zone that does not exist", async () => {
    await expect(readSchedule("daily at 9am", "Mars/Olympus", NOW)).rejects.toThrow("not a time zone");
  });
});
