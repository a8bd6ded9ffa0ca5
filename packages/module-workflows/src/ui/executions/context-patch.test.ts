import { expect, it } from "vitest";
import { toContextPatch } from "./context-patch.ts";

it("says what was added, changed and taken out of a context, and nothing of the rest", () => {
  const before = { kept: { a: 1 }, changed: [1, 2], gone: null, "a/b~c": 1 };
  const after = { kept: { a: 1 }, changed: [1, 3], "a/b~c": 2, added: null };
  expect(toContextPatch(before, after)).toEqual([
    { op: "remove", path: "/gone" },
    { op: "replace", path: "/changed", value: [1, 3] },
    { op: "replace", path: "/a~1b~0c", value: 2 },
    { op: "add", path: "/added", value: null },
  ]);
  expect(toContextPatch(before, before)).toEqual([]);
});
