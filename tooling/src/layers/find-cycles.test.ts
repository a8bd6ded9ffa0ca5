import { expect, it } from "vitest";
import { findCycles } from "./find-cycles.ts";

const cyclesOf = (sources: Record<string, string>): string[][] => findCycles(new Map(Object.entries(sources)));

it("finds files that import each other's values, also by way of a third and by re-export", () => {
  expect(
    cyclesOf({
      "p/src/a.ts": 'import { b } from "./b.ts";',
      "p/src/b.ts": 'import {\n  c,\n} from "./in/c.ts";',
      "p/src/in/c.ts": 'export { a } from "../a.ts";',
      "p/src/d.ts": 'import { a } from "./a.ts";',
    }),
  ).toEqual([["p/src/a.ts", "p/src/b.ts", "p/src/in/c.ts"]]);
});

it("finds an import for its effect", () => {
  expect(cyclesOf({ "a.ts": 'import "./b.ts";', "b.ts": 'import { type X, a } from "./a.ts";' })).toEqual([
    ["a.ts", "b.ts"],
  ]);
});

it("does not count imports of types, nor of other packages", () => {
  expect(
    cyclesOf({
      "a.ts":
        'import { type B, type C } from "./b.ts";\nimport type { D } from "./b.ts";\nimport { x } from "@oven/y";',
      "b.ts": 'import { a } from "./a.ts";',
    }),
  ).toEqual([]);
});
