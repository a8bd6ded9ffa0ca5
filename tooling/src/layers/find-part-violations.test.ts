import { expect, it } from "vitest";
import { findPartViolations } from "./find-part-violations.ts";

const LIST = "packages/x/src/formats.ts";
const RULE = {
  places: [{ path: "packages/x/src/formats/*/index.ts", list: LIST }, { path: "packages/shapes/src/formats/*.ts" }],
  deletedWith: { a: ["apps/y/a.command.ts"] },
};
const SOUND = {
  "packages/x/src/formats.ts":
    'export const F = [\n  import("./formats/a/index.ts"),\n  import("./formats/b/index.ts"),\n];',
  "packages/x/src/formats/a/index.ts": 'import { a } from "./nodes/a.ts";\nimport { s } from "../../shared/s.ts";',
  "packages/x/src/formats/a/nodes/a.ts": 'import type { T } from "../t.ts";',
  "packages/x/src/formats/b/index.ts": 'import { s } from "../../shared/s.ts";',
  "packages/x/src/formats/b/more.ts": 'import { B } from "@oven/shapes/formats/b.ts";',
  "packages/shapes/src/formats/b.ts": "export const B = 1;",
  "apps/y/a.command.ts": 'import { A } from "@oven/shapes/formats/a.ts";',
  "packages/x/src/shared/s.ts": 'const ways = ["./formats", "formats/a", "a"];',
};
const violationsOf = (changed: Record<string, string> = {}) =>
  findPartViolations(new Map(Object.entries({ ...SOUND, ...changed })), [RULE]);

it("lets parts use what all share, and a list name each of them once", () => {
  expect(violationsOf()).toEqual([]);
});

it.each([
  ["another part", "packages/x/src/formats/b/index.ts", 'import { a } from "../a/index.ts";'],
  ["a part, by its types", "packages/x/src/shared/s.ts", 'import type { A } from "../formats/a/nodes/a.ts";'],
  ["a part, when it is called", "packages/x/src/shared/s.ts", 'await import("../formats/a/index.ts")'],
  [
    "a file of a part",
    "packages/x/src/shared/s.test.ts",
    "new URL(`../formats/a/testing/story.json`, import.meta.url)",
  ],
  ["a file of a part, from the root on", "apps/y/a.ts", 'read("../../packages/x/src/formats/a/story.json")'],
])("refuses to name %s", (_what, path, source) => {
  expect(violationsOf({ [path]: source })).toEqual([expect.stringContaining(`${path}: only ${LIST} may name`)]);
});

it("refuses a part that reads the list it is in, but for its tests", () => {
  const source = 'import { F } from "../../formats.ts";';
  const path = "packages/x/src/formats/a/more.ts";
  expect(violationsOf({ [path]: source })).toEqual([`${path}: a part may not import ${LIST}`]);
  expect(violationsOf({ "packages/x/src/formats/a/a.test.ts": source })).toEqual([]);
});

it("refuses a list without a part, with one twice, and with another file than its index", () => {
  const listed = (...targets: string[]) =>
    violationsOf({ [LIST]: targets.map((target) => `import("./formats/${target}"),`).join("\n") });
  expect(listed("a/index.ts")).toEqual([`${LIST}: b has 0 lines instead of one`]);
  expect(listed("a/index.ts", "a/index.ts", "b/index.ts")).toEqual([`${LIST}: a has 2 lines instead of one`]);
  expect(listed("a/index.ts", "b/nodes/b.ts")).toEqual([`${LIST}: packages/x/src/formats/b/nodes/b.ts is no index.ts`]);
});

it("refuses to name a part's file in a place without a list, but in the part", () => {
  const source = 'import type { B } from "@oven/shapes/formats/b.ts";';
  for (const path of ["packages/x/src/formats/a/more.ts", "apps/y/b.ts"])
    expect(violationsOf({ [path]: source })).toEqual([`${path}: only files of b may name @oven/shapes/formats/b.ts`]);
});

it("names what is left over when a part's home is gone", () => {
  const without = new Map(Object.entries(SOUND).filter(([path]) => !path.startsWith("packages/x/src/formats/")));
  expect(findPartViolations(without, [RULE])).toEqual([
    `${LIST}: packages/x/src/formats/a/index.ts is listed and not there`,
    `${LIST}: packages/x/src/formats/b/index.ts is listed and not there`,
    "packages/shapes/src/formats/b.ts: its part is gone",
    "apps/y/a.command.ts: its part is gone",
  ]);
});
