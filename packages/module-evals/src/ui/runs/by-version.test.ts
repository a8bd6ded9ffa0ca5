import type { EvalRun } from "@oven/contract/eval";
import { expect, it } from "vitest";
import { byVersion } from "./by-version.ts";

const run = (id: number, version: number) => ({ id, target: { kind: "agent", id: 1, version } }) as EvalRun; // cast: what is read of one

it("takes the newest evaluation of each version, in the order of the versions", () => {
  const runs = [run(9, 1), run(8, 3), run(7, 3), run(6, 2), run(5, 1)];
  expect(byVersion(runs).map(({ id, target }) => [target.version, id])).toEqual([
    [1, 9],
    [2, 6],
    [3, 8],
  ]);
});

it("leaves the oldest versions out where there are many", () => {
  const runs = Array.from({ length: 30 }, (_, index) => run(100 - index, 30 - index));
  const versions = byVersion(runs).map(({ target }) => target.version);
  expect([versions.length, versions[0], versions.at(-1)]).toEqual([20, 11, 30]);
});
