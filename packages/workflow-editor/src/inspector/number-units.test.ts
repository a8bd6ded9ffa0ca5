import { DurationSchema } from "@oven/contract/workflow";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { isMoney, readTime, scaleOf, timeFormatOf, writeTime } from "./number-units.ts";
import { toFields } from "./shape.ts";

const schema = z.toJSONSchema(
  z.strictObject({
    dueIn: DurationSchema.optional(),
    timeoutMs: z.int().optional(),
    maxCostMicros: z.int().optional(),
    temperature: z.number().min(0).max(2).optional(),
    count: z.int().min(1).max(5).optional(),
    deadline: z.union([z.int(), z.string(), z.null()]).optional(),
  }),
  { io: "input" },
);
// cast: a JSON Schema is JSON
const fields = Object.fromEntries(toFields(schema as never).map((field) => [field.name, field]));
const of = (name: string) => fields[name] ?? expect.fail(name);

test("fields are known for what they mean", () => {
  expect(timeFormatOf(of("dueIn"))).toBe("iso");
  expect(timeFormatOf(of("timeoutMs"))).toBe("ms");
  expect(timeFormatOf(of("count"))).toBeNull();
  expect(timeFormatOf(of("deadline"))).toBeNull();
  expect(isMoney(of("maxCostMicros"))).toBe(true);
  expect(isMoney(of("timeoutMs"))).toBe(false);
  expect(scaleOf(of("temperature").shape)).toEqual({ least: 0, most: 2 });
  expect(scaleOf(of("count").shape)).toBeNull();
});

test("labels leave out the unit, which the control shows", () => {
  expect(of("timeoutMs").label).toBe("Timeout");
  expect(of("maxCostMicros").label).toBe("Max cost");
});

describe("times", () => {
  it.each([
    ["PT15M", 15, "minutes"],
    ["P2D", 2, "days"],
    ["PT1H30M", 90, "minutes"],
    [30_000, 30, "seconds"],
    [1_500, 1_500, "milliseconds"],
    [0, 0, "milliseconds"],
  ] as const)("%s is %s %s", (value, amount, unit) => {
    expect(readTime(value)).toEqual({ amount, unit });
  });

  it("what is no time is not taken for one", () => {
    expect(readTime("soon")).toBeUndefined();
    expect(readTime(undefined)).toBeUndefined();
  });

  it.each([
    [15, "minutes", "iso", "PT15M"],
    [2, "days", "iso", "P2D"],
    [1.5, "hours", "iso", "PT1.5H"],
    [500, "milliseconds", "iso", 500],
    [30, "seconds", "ms", 30_000],
    [undefined, "seconds", "ms", undefined],
  ] as const)("%s %s in %s is %s, and reads the same again", (amount, unit, format, written) => {
    expect(writeTime(amount, unit, format)).toBe(written);
    if (amount !== undefined && Number.isInteger(amount)) expect(readTime(written)).toEqual({ amount, unit });
  });
});
