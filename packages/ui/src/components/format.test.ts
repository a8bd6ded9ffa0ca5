import { describe, expect, it } from "vitest";
import {
  formatBytes,
  formatDuration,
  formatMoney,
  formatRelative,
  formatTokens,
  shortenId,
  toElapsed,
} from "./format.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const at = (seconds: number): string => new Date(NOW + seconds * 1_000).toISOString();

describe("durations", () => {
  it.each([
    [0, "0 ms"],
    [15.4, "15 ms"],
    [1_240, "1.2 s"],
    [59_940, "59.9 s"],
    [59_960, "1m 0s"],
    [59_999, "1m 0s"],
    [192_000, "3m 12s"],
    [7_500_000, "2h 5m"],
    [4 * 86_400_000 + 3_600_000, "4d 1h"],
  ])("%d ms reads %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe("money, tokens, ids", () => {
  it.each([
    [0, "$0"],
    [12_000, "$0.012"],
    [40, "<$0.001"],
    [1_500_000, "$1.5"],
    [1_234_567_890, "$1,234.57"],
  ])("%d millionths read %s", (micros, text) => {
    expect(formatMoney(micros)).toBe(text);
  });

  it("groups tokens and shows none as a dash", () => {
    expect(formatTokens({ input: 1_680, output: 430, total: 2_110 })).toBe("2,110 tok");
    expect(formatTokens({ input: 0, output: 0, total: 0 })).toBe("–");
    expect(formatTokens(null)).toBe("–");
  });

  it("shortens long ids only", () => {
    expect(shortenId("1842")).toBe("1842");
    expect(shortenId("3f9a61c2d8e7")).toBe("3f9a61c2…");
  });
});

describe("relative time", () => {
  it.each([
    [-2, "just now"],
    [-42, "42s ago"],
    [-300, "5m ago"],
    [-7_300, "2h ago"],
    [-3 * 86_400, "3d ago"],
    [720, "in 12m"],
  ])("%d seconds away reads %s", (seconds, text) => {
    expect(formatRelative(at(seconds), NOW)).toBe(text);
  });

  it("is a date after a month", () => {
    expect(formatRelative(at(-60 * 86_400), NOW)).toMatch(/2026/);
  });
});

describe("elapsed time", () => {
  it("runs until the end, or until now", () => {
    expect(toElapsed({ startedAt: null, completedAt: null }, NOW)).toBeNull();
    expect(toElapsed({ startedAt: at(-10), completedAt: null }, NOW)).toBe(10_000);
    expect(toElapsed({ startedAt: at(-10), completedAt: at(-4) }, NOW)).toBe(6_000);
    expect(toElapsed({ startedAt: at(5), completedAt: null }, NOW)).toBe(0);
  });
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [999_949, "999.9 kB"],
  [999_951, "1.0 MB"],
  [1_200_000_000, "1.2 GB"],
])("%d bytes read %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
