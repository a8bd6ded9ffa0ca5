import { expect, it } from "vitest";
import { judgeBranches } from "./judge-branches.ts";

const yes = { value: true, problem: null };
const no = { value: false, problem: null };
const broken = { problem: { message: "no such overload", fix: null } };

it.each([
  ["the first that holds", [true, true, true], [no, yes, yes], ["denied", "taken", "passed"]],
  ["the last without a condition, if no other is", [true, false], [no], ["denied", "taken"]],
  ["none after one without a condition", [false, true], [yes], ["taken", "passed"]],
  ["none after one that cannot be computed", [true, true, false], [broken, yes], ["broken", "passed", "passed"]],
  ["one before one that cannot be computed", [true, true], [yes, broken], ["taken", "broken"]],
  ["none, if none holds", [true], [no], ["denied"]],
])("takes %s", (_, guarded, results, verdicts) => {
  expect(judgeBranches(guarded, results).map(({ is }) => is)).toEqual(verdicts);
});

it("says why a branch is not taken", () => {
  expect(judgeBranches([true, false], [broken]).map(({ text }) => text)).toEqual([
    "no such overload",
    "an earlier condition cannot be computed",
  ]);
});
