import { expect, it } from "vitest";
import { installedModules } from "./modules.ts";

it("the menu asks for permissions that exist", () => {
  const modules = installedModules({ demo: true });
  const known = modules.flatMap(({ permissions }) => permissions.map(({ id }) => id));
  const items = modules.flatMap(({ menuItems }) => menuItems);
  expect(items.length).toBeGreaterThan(20);
  expect(items.flatMap(({ permissions = [] }) => permissions).filter((id) => !known.includes(id))).toEqual([]);
});

it("what only owners hold is a resource of its own: admins hold whole resources", () => {
  const permissions = installedModules({ demo: true }).flatMap((module) => module.permissions);
  const resourceOf = (id: string) => id.split(".")[0];
  const guarded = new Set(permissions.filter(({ ownersOnly }) => ownersOnly).map(({ id }) => resourceOf(id)));
  expect(guarded).toEqual(new Set(["persons", "tenant-data"]));
  const open = permissions.filter(({ id, ownersOnly }) => guarded.has(resourceOf(id)) && ownersOnly !== true);
  expect(open.map(({ id }) => id)).toEqual([]);
});
