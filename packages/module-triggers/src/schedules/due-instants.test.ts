import { describe, expect, it } from "vitest";
import { dueInstants } from "./due-instants.ts";
import { nextInstant, nextInstants } from "./next-instants.ts";

const iso = (instants: Date[]) => instants.map((instant) => instant.toISOString());
const HOURLY = { cron: "0 * * * *", timezone: "UTC" };

describe("instants that passed while nobody looked", () => {
  const dueAt = new Date("2026-11-02T06:00:00Z");
  const now = new Date("2026-11-02T12:00:30Z");

  it.each([
    ["skip", ["2026-11-02T12:00:00.000Z"]],
    ["once", ["2026-11-02T12:00:00.000Z"]],
    ["all", ["2026-11-02T10:00:00.000Z", "2026-11-02T11:00:00.000Z", "2026-11-02T12:00:00.000Z"]],
  ] as const)("%s", (misfire, expected) => {
    const { instants, next } = dueInstants(HOURLY, { misfire, misfireLimit: 3 }, dueAt, now);
    expect(iso(instants)).toEqual(expected);
    expect(next?.toISOString()).toBe("2026-11-02T13:00:00.000Z");
  });

  it("start nothing under skip, and one run under once, when all of them are late", () => {
    const late = new Date("2026-11-02T11:30:00Z");
    expect(dueInstants(HOURLY, { misfire: "skip", misfireLimit: 3 }, dueAt, late).instants).toEqual([]);
    expect(iso(dueInstants(HOURLY, { misfire: "once", misfireLimit: 3 }, dueAt, late).instants)).toEqual([
      "2026-11-02T11:00:00.000Z",
    ]);
  });

  it("of a schedule that happens once", () => {
    const once = { at: dueAt.toISOString(), timezone: "UTC" };
    const { instants, next } = dueInstants(once, { misfire: "once", misfireLimit: 1 }, dueAt, now);
    expect([iso(instants), next]).toEqual([[dueAt.toISOString()], null]);
  });
});

describe("daylight saving", () => {
  const at = (cron: string, after: string, count: number) =>
    iso(nextInstants({ cron, timezone: "Europe/Vienna" }, new Date(after), count));

  it("a time that is left out fires when the clocks go forward", () => {
    expect(at("30 2 * * *", "2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
  });

  it("a time that comes twice fires once, the first time", () => {
    expect(at("30 2 * * *", "2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
  });

  it("nine in the morning stays nine in the morning", () => {
    expect(at("0 9 * * *", "2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T08:00:00.000Z",
      "2026-10-26T08:00:00.000Z",
    ]);
  });

  it("every hour is every hour", () => {
    expect(at("0 * * * *", "2026-10-24T23:30:00Z", 3)).toEqual([
      "2026-10-25T00:00:00.000Z",
      "2026-10-25T01:00:00.000Z",
      "2026-10-25T02:00:00.000Z",
    ]);
  });
});

it("keeps to its first and last instant", () => {
  const bounded = { ...HOURLY, startAt: "2026-11-02T10:00:00Z", endAt: "2026-11-02T11:00:00Z" };
  expect(iso(nextInstants(bounded, new Date("2026-11-01T00:00:00Z"), 9))).toEqual([
    "2026-11-02T10:00:00.000Z",
    "2026-11-02T11:00:00.000Z",
  ]);
  expect(nextInstant({ cron: "0 0 30 2 *", timezone: "UTC" }, new Date())).toBeNull();
});
