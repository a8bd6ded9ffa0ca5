import { matchPath } from "react-router-dom";
import { expect, it } from "vitest";
import { uiModules } from "./ui-modules.ts";

const menu = uiModules.flatMap(({ menuItems }) => menuItems);
const pages = uiModules.flatMap(({ pages = [], fullPages = [] }) => [...pages, ...fullPages]).map(({ path }) => path);
const listed = uiModules.flatMap(({ resourcePages = {} }) =>
  Object.entries(resourcePages).flatMap(([name, { list }]) => (list === undefined ? [] : [`/${name}`])),
);

it("every entry of the menu has a page and an icon", () => {
  expect(menu.length).toBeGreaterThan(20);
  const paths = [...pages, ...listed];
  expect(menu.filter(({ to }) => !paths.some((path) => matchPath(path, to)))).toEqual([]);
  for (const { menuItems, icons } of uiModules)
    expect(Object.keys(icons).sort()).toEqual(menuItems.map(({ to }) => to).sort());
});

it("pages belong to resources that their module declares, and each path has one page", () => {
  for (const { resources, resourcePages = {}, counts = {}, menuItems } of uiModules) {
    const names = resources.map(({ name }) => name);
    expect(Object.keys(resourcePages).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.keys(counts).filter((path) => !menuItems.some(({ to }) => to === path))).toEqual([]);
  }
  const paths = [...pages, ...listed];
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
});
