import { expect, it } from "vitest";
import { installedModules } from "./modules.ts";

it("the menu asks for permissions that exist", () => {
  const modules = installedModules({ demo: true });
  const known = modules.flatMap(({ permissions }) => permissions.map(({ id }) => id));
  const items = modules.flatMap(({ menuItems }) => menuItems);
  expect(items.length).toBeGreaterThan(20);
  expect(items.flatMap(({ permissions = [] }) => permissions).filter((id) => !known.includes(id))).toEqual([]);
});
