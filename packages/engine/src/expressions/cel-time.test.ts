import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { scopeOf } from "../testing/expression-scope.ts";
import { compileCel } from "./cel.ts";
import { checkCel } from "./cel-language.ts";

const scope = scopeOf({
  at: "2026-05-01T00:00:00+02:00",
  wrong: "2026-02-30T00:00:00Z",
  span: "-1.5s",
  long: "7615917337495251231",
  json: '{"id":7615917337495251231}',
  order: { id: 7 },
});
const evaluate = (expression: string): Json => compileCel(expression).evaluate(scope);
const at = (text: string) => `timestamp("${text}")`;

describe("a timestamp", () => {
  it.each([
    "2026-02-30T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-04-31T12:00:00+02:00",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T23:60:00Z",
    "2026-01-01T23:59:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+01:60",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-00:01",
    "2026-01-01",
    "2026-01-01T00:00:00",
    "2026-01-01T00:00:00.000",
    "2026-01-01 00:00:00+02",
    "Thu, 01 Jan 2026 00:00:00 GMT",
    "+02026-01-01T00:00:00Z",
    "",
  ])("is not made of %j, said at its place when the expression is checked", (text) => {
    const { problem } = checkCel(`true && ${at(text)} > timestamp(0)`);
    expect(problem).toMatchObject({ start: 18, end: 20 + text.length });
    expect(problem?.message).toMatch(/^("|the timestamp)/);
  });

  it("that the run's data does not have is an error of the run", () => {
    expect(() => evaluate("timestamp(ctx.wrong)")).toThrow(/2026-02-30.* is not a timestamp: there is no such day/);
    expect(() => evaluate("timestamp(ctx.order.id)")).toThrow(/timestamp\(double\)/);
  });

  it.each([
    [at("2024-02-29T23:59:59Z"), "2024-02-29T23:59:59.000Z"],
    [at("2026-05-01T00:00:00.123456789+02:00"), "2026-04-30T22:00:00.123Z"],
    [at("0001-01-01T00:00:00Z"), "0001-01-01T00:00:00.000Z"],
    [at("0099-03-01T00:00:00-23:59"), "0099-03-01T23:59:00.000Z"],
    ["timestamp(ctx.at)", "2026-04-30T22:00:00.000Z"],
    ["timestamp(-1)", "1969-12-31T23:59:59.000Z"],
    ["timestamp(timestamp(0))", "1970-01-01T00:00:00.000Z"],
    [`string(${at("2026-05-01T02:00:00+02:00")})`, "2026-05-01T00:00:00Z"],
    [`string(${at("2026-05-01T10:20:30.120Z")})`, "2026-05-01T10:20:30.12Z"],
    ["string(timestamp(ctx.at))", "2026-04-30T22:00:00Z"],
    ["int(timestamp(ctx.at))", 1_777_586_400],
    [`int(${at("1969-12-31T23:59:58.500Z")})`, -2],
    [`${at("2026-05-01T00:00:00Z")} == timestamp("2026-05-01T02:00:00+02:00")`, true],
    [`${at("2026-05-01T00:00:00Z")} < timestamp(ctx.at)`, false],
  ])("%s is %j", (expression, expected) => {
    expect(evaluate(expression)).toBe(expected);
  });

  it.each([
    [`timestamp(ctx.at) + duration("1h")`, "2026-04-30T23:00:00.000Z"],
    [`duration("1h") + timestamp(ctx.at)`, "2026-04-30T23:00:00.000Z"],
    [`timestamp(ctx.at) - duration("36h")`, "2026-04-29T10:00:00.000Z"],
    [`timestamp(ctx.at) + duration("-1.5s")`, "2026-04-30T21:59:58.500Z"],
    [`timestamp(ctx.at) - ${at("2026-01-01T00:00:00Z")}`, "10360800s"],
    [`${at("2026-01-01T00:00:00Z")} - ${at("2026-01-01T00:00:00.001Z")}`, "-0.001s"],
    [`${at("2026-01-01T00:00:00.001Z")} - ${at("0001-01-01T00:00:00Z")}`, "63902822400.001s"],
    [`(timestamp(ctx.at) - ${at("2026-01-01T00:00:00Z")}).getHours()`, 2_878],
    [`timestamp(0) - ${at("1970-01-01T00:00:01.500Z")} == duration("-1.5s")`, true],
  ])("%s is %j", (expression, expected) => {
    expect(evaluate(expression)).toBe(expected);
  });

  it("that is out of range is refused", () => {
    expect(() => evaluate(`${at("9999-12-31T23:59:59Z")} + duration("1s")`)).toThrow(/between the years 1 and 9999/);
    expect(() => evaluate(`string(${at("0001-01-01T00:00:00Z")} - duration("1ms"))`)).toThrow(/between the years/);
    expect(() => evaluate("timestamp(99999999999999)")).toThrow(/between the years/);
  });

  describe("in a zone", () => {
    const parts =
      "getFullYear getMonth getDate getDayOfMonth getDayOfWeek getDayOfYear getHours getMinutes getSeconds getMilliseconds";
    it.each([
      ["2026-07-01T12:30:15.250Z", "", [2026, 6, 1, 0, 3, 181, 12, 30, 15, 250]],
      ["2026-12-31T23:30:00Z", '"Europe/Berlin"', [2027, 0, 1, 0, 5, 0, 0, 30, 0, 0]],
      ["2026-03-29T00:59:59Z", '"Europe/Berlin"', [2026, 2, 29, 28, 0, 87, 1, 59, 59, 0]],
      // The hour that the zone of a server in Berlin does not have.
      ["2026-03-29T02:30:00Z", '"UTC"', [2026, 2, 29, 28, 0, 87, 2, 30, 0, 0]],
      ["2026-03-29T01:00:00Z", '"Europe/Berlin"', [2026, 2, 29, 28, 0, 87, 3, 0, 0, 0]],
      ["2026-10-25T00:30:00Z", '"Europe/Berlin"', [2026, 9, 25, 24, 0, 297, 2, 30, 0, 0]],
      ["2026-10-25T01:30:00Z", '"Europe/Berlin"', [2026, 9, 25, 24, 0, 297, 2, 30, 0, 0]],
      ["2026-01-01T00:00:00Z", '"Asia/Kathmandu"', [2026, 0, 1, 0, 4, 0, 5, 45, 0, 0]],
      ["2026-01-01T00:00:00Z", '"-08:00"', [2025, 11, 31, 30, 3, 364, 16, 0, 0, 0]],
      ["2026-01-01T00:00:00Z", '"05:30"', [2026, 0, 1, 0, 4, 0, 5, 30, 0, 0]],
      ["0099-03-01T00:00:00Z", '"UTC"', [99, 2, 1, 0, 0, 59, 0, 0, 0, 0]],
    ])("%s %s", (moment, zone, expected) => {
      expect(parts.split(" ").map((part) => evaluate(`${at(moment)}.${part}(${zone})`))).toEqual(expected);
    });

    it.each(["Mars/Olympus", "", "CET-1", "+25:00"])("that is none is refused: %j", (zone) => {
      expect(() => evaluate(`timestamp(0).getHours("${zone}")`)).toThrow(/is no time zone: write Europe\/Berlin/);
    });
  });
});

describe("a duration", () => {
  it.each([
    ['duration("1h30m")', "5400s"],
    ['duration("-1h30m") + duration("1s")', "-5399s"],
    ['duration("-1.5s") + duration("0s")', "-1.5s"],
    ['duration("1s") - duration("1.5s")', "-0.5s"],
    ['duration("-0.5s") - duration("0.5s")', "-1s"],
    ['duration("1us") + duration("1ns")', "0.000001001s"],
    ['duration(".5h")', "1800s"],
    ["string(duration(ctx.span))", "-1.5s"],
    ['duration(duration("2s"))', "2s"],
    ['duration("1h") == duration("60m") && duration("-500ms") == duration("0s") - duration("0.5s")', true],
    ['duration("1h") > duration("59m59s")', true],
    ['duration("-1.5s").getSeconds()', -1],
    ['duration("-1.5s").getMilliseconds()', -1_500],
    ['duration("-90m").getHours()', -1],
    ['duration("2h").getMinutes()', 120],
  ])("%s is %j", (expression, expected) => {
    expect(evaluate(expression)).toBe(expected);
  });

  it.each(["", "s", "1", "1d", "PT1H", "1h 30m", "1.2.3s", "1e3s", "--1s", "999999999999h"])(
    "is not made of %j",
    (text) => {
      expect(checkCel(`duration("${text}")`).problem).toMatchObject({ start: 9 });
    },
  );
});

it("is known as a timestamp where something replaced `Date` after the library was loaded", () => {
  const original = Date;
  // As Next.js does it, so that the clock of a page can be watched.
  const replaced = function Replaced(...given: []) {
    return new.target === undefined ? original() : Reflect.construct(original, given, new.target);
  };
  Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(original));
  Object.defineProperty(original.prototype, "constructor", { value: replaced, configurable: true, writable: true });
  globalThis.Date = replaced as unknown as DateConstructor; // cast: it has all that `Date` has
  try {
    expect(evaluate("string(timestamp(ctx.at))")).toBe("2026-04-30T22:00:00Z");
    expect(evaluate("int(timestamp(ctx.at))")).toBe(1_777_586_400);
    expect(evaluate("timestamp(1777586400).getFullYear()")).toBe(2026);
    expect(evaluate("timestamp(ctx.at) + duration('1h')")).toBe("2026-04-30T23:00:00.000Z");
    expect(evaluate("duration('1h') + timestamp(ctx.at) - duration('1ms')")).toBe("2026-04-30T22:59:59.999Z");
    expect(evaluate("timestamp(ctx.at) - timestamp('2026-04-30T21:59:59Z')")).toBe("1s");
    expect(evaluate("timestamp(ctx.at) < timestamp('2026-05-01T00:00:00Z')")).toBe(true);
  } finally {
    globalThis.Date = original;
    Object.defineProperty(original.prototype, "constructor", { value: original, configurable: true, writable: true });
  }
});

describe("what may be missing", () => {
  it.each<[string, Json]>([
    ["ctx.?order.?id.orValue(0)", 7],
    ["ctx.?order.id.orValue(0)", 7],
    ["ctx.?nothing.id.more.orValue(0)", 0],
    ["ctx.order.?nothing.hasValue()", false],
    ['ctx[?"order"][?"id"].value() + 1', 8],
    ["[1, 2][?5].orValue(ctx.order.id)", 7],
    ["ctx.?a.or(ctx.?b).or(ctx.?order).id.orValue(1)", 7],
  ])("%s is %j", (expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  it("is no result by itself", () => {
    expect(() => evaluate("ctx.?order")).toThrow(/optional value: end it with .orValue/);
    expect(() => evaluate("ctx.?nothing.value()")).toThrow(/not present/);
  });
});

describe("long numbers", () => {
  it("are calculated with as int, and are no result that JSON would round", () => {
    expect(evaluate("string(int(ctx.long) + 1)")).toBe("7615917337495251232");
    expect(() => evaluate("int(ctx.long)")).toThrow(/the integer 7615917337495251231 is too large.*string\(…\)/);
    expect(evaluate("[uint(3)]")).toEqual([3]);
  });

  it("in JSON that an expression reads are refused", () => {
    expect(() => evaluate("bytes(ctx.json).json()")).toThrow(/7615917337495251231 at \$\.id/);
    expect(evaluate(`bytes('{"id":12}').json().id`)).toBe(12);
  });
});

it("says what is wrong without the names that calls are renamed to", () => {
  for (const expression of [
    "ctx.order.getHours()",
    "timestamp(ctx.order)",
    "bytes(ctx.json).json(ctx.at)",
    "ctx.at.matches(1.0)",
  ])
    expect(() => evaluate(expression), expression).not.toThrow(/oven_/);
});
