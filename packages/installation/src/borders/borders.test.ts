import { expect, it } from "vitest";
import { isSame, readWritten } from "./testing/exact-json.ts";
import { tryNames } from "./testing/names.ts";
import { runBorders } from "./testing/run-borders.ts";

it("values from outside arrive as they were sent, or are refused with a reason, whichever way they come", async () => {
  const { sent, ways, failures } = await runBorders(400, 3);
  expect(failures).toEqual([]);
  expect(sent).toBe(400);
  expect(Object.keys(ways)).toHaveLength(13);
  for (const [way, outcomes] of Object.entries(ways)) expect(outcomes.equal, way).toBeGreaterThan(5);
});

it("a name that programs trip over works wherever a definition has names, or is refused with a reason", async () => {
  const names = [
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "then",
    "",
    "caf\u00e9",
    "cafe\u0301",
    "👩‍👩‍👧",
    'a."b',
    "x".repeat(200),
  ];
  const outcomes = await tryNames(names);
  expect(outcomes.filter(({ outcome }) => outcome !== "works" && outcome !== "refused")).toEqual([]);
  const working = outcomes.filter(({ outcome }) => outcome === "works");
  expect(new Set(working.map(({ place }) => place)).size).toBe(9);
  for (const name of ["toString", "hasOwnProperty", "then"])
    expect(working.filter((of) => of.name === name)).toHaveLength(9);
});

it.each([
  ["7615917337495251231", "7615917337495251000"],
  ["1e400", "null"],
  ["0.1234567890123456789", "0.12345678901234568"],
  ['{"__proto__":1}', "{}"],
  ['"é"', '"e\u0301"'],
  ['[1,{"a":"1"}]', '[1,{"a":1}]'],
])("%s is told from %s", (one, other) => {
  expect(isSame(readWritten(one), readWritten(other))).toBe(false);
  expect(isSame(readWritten(one), readWritten(` ${one} `))).toBe(true);
});
