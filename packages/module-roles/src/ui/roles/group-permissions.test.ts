import { expect, it } from "vitest";
import { groupPermissions, toggleGroup, togglePermission } from "./group-permissions.ts";

const info = (id: string) => ({ id, title: id, module: "m" });
const GROUPS = groupPermissions([info("a.read"), info("b.read"), info("a.write"), info("a.run")]);
const [a] = GROUPS;
if (a === undefined) throw new Error("no group");

it("groups by resource", () => {
  expect(GROUPS.map(({ resource, permissions }) => [resource, permissions.length])).toEqual([
    ["a", 3],
    ["b", 1],
  ]);
});

it("gives and takes a whole resource as one pattern", () => {
  expect(toggleGroup(["a.read", "b.read"], a, true)).toEqual(["b.read", "a.*"]);
  expect(toggleGroup(["a.*", "b.read"], a, false)).toEqual(["b.read"]);
});

it("gives one once, and takes one out of a pattern without the others", () => {
  expect(togglePermission([], a, "a.read", true)).toEqual(["a.read"]);
  expect(togglePermission(["a.*"], a, "a.read", true)).toEqual(["a.*"]);
  expect(togglePermission(["b.read", "a.*"], a, "a.read", false)).toEqual(["b.read", "a.write", "a.run"]);
  expect(togglePermission(["a.read", "a.run"], a, "a.run", false)).toEqual(["a.read"]);
});
