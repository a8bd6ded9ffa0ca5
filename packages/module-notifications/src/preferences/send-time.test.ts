import { NotificationPreferencesSchema } from "@oven/contract/system";
import { describe, expect, it } from "vitest";
import { afterQuietHours, mailTime } from "./send-time.ts";

const at = (text: string) => new Date(text);
const night = { from: "22:00", to: "07:00" };

describe("when an e-mail goes out", () => {
  it.each([
    ["in the evening", "2026-06-01T20:30:00Z", "2026-06-02T05:00:00.000Z"],
    ["after midnight", "2026-06-02T01:15:30Z", "2026-06-02T05:00:00.000Z"],
    ["at their end", "2026-06-02T05:00:00Z", "2026-06-02T05:00:00.000Z"],
    ["by day", "2026-06-02T10:00:00Z", "2026-06-02T10:00:00.000Z"],
    ["in the night in which the clocks go forward", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00.000Z"],
    ["in the night in which they go back", "2026-10-24T21:00:00Z", "2026-10-25T06:00:00.000Z"],
  ])("quiet hours hold back what comes %s", (_when, now, sent) => {
    expect(afterQuietHours(night, "Europe/Vienna", at(now)).toISOString()).toBe(sent);
  });

  it("quiet hours may lie within one day", () => {
    const noon = { from: "12:00", to: "13:30" };
    expect(afterQuietHours(noon, "UTC", at("2026-06-01T12:30:00Z")).toISOString()).toBe("2026-06-01T13:30:00.000Z");
    expect(afterQuietHours(noon, "UTC", at("2026-06-01T13:30:00Z")).toISOString()).toBe("2026-06-01T13:30:00.000Z");
    expect(afterQuietHours(noon, "UTC", at("2026-06-01T11:59:00Z")).toISOString()).toBe("2026-06-01T11:59:00.000Z");
  });

  it.each([
    ["none", "UTC", "2026-06-01T10:17:05.000Z"],
    ["hourly", "UTC", "2026-06-01T11:00:00.000Z"],
    ["hourly", "Asia/Kolkata", "2026-06-01T10:30:00.000Z"],
    ["daily", "Europe/Vienna", "2026-06-02T06:00:00.000Z"],
    ["daily", "America/New_York", "2026-06-01T12:00:00.000Z"],
  ])("digest %s in %s", (digest, timezone, sent) => {
    const preferences = NotificationPreferencesSchema.parse({ digest, timezone });
    expect(mailTime(preferences, at("2026-06-01T10:17:05Z")).toISOString()).toBe(sent);
  });

  it("a digest waits for the end of the quiet hours, too", () => {
    const preferences = NotificationPreferencesSchema.parse({ digest: "hourly", quietHours: night });
    expect(mailTime(preferences, at("2026-06-01T21:30:00Z")).toISOString()).toBe("2026-06-02T07:00:00.000Z");
  });
});
