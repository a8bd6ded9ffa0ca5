import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { installedModules } from "../../../packages/installation/src/index.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const packages = readdirSync(join(root, "packages")).filter((name) =>
  existsSync(join(root, "packages", name, "package.json")),
);

it("every package is in the diagram of docs/architecture.md", () => {
  const diagram = /## Packages\n\n```mermaid\n(.*?)```/s.exec(read("docs/architecture.md"))?.[1] ?? "";
  const drawn = new Set([...diagram.matchAll(/\["([\w/-]+)[<"]/g)].map(([, name]) => name));
  expect(packages.filter((name) => !drawn.has(name))).toEqual([]);
  expect([...drawn].filter((name = "") => !packages.includes(name) && !existsSync(join(root, name)))).toEqual([]);
});

it("every package is in README's map, by its name or as one of the modules", () => {
  const map = /## The repository in 60 seconds\n\n```\n(.*?)```/s.exec(read("README.md"))?.[1] ?? "";
  const listed = [...map.matchAll(/^([\w/*-]+) /gm)].map(([, path = ""]) => path);
  const covers = (path: string, name: string): boolean =>
    path.endsWith("*") ? `packages/${name}`.startsWith(path.slice(0, -1)) : path === `packages/${name}`;
  expect(packages.filter((name) => !listed.some((path) => covers(path, name)))).toEqual([]);
  expect(listed.filter((path) => !path.endsWith("*") && !existsSync(join(root, path)))).toEqual([]);
});

it("every place that the glossary names exists", () => {
  const named = [...read("docs/glossary.md").matchAll(/`((?:packages|apps|docs|tooling)\/[\w/.-]+)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("every file that the architecture page names exists", () => {
  const named = [...read("docs/architecture.md").matchAll(/`((?:packages|apps|tooling)\/[\w/.-]+)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("the walks of the architecture page name no more files than they do now", () => {
  const [, walks = ""] = /## Three walks through the code\n(.*?)\n## /s.exec(read("docs/architecture.md")) ?? [];
  const [, ...each] = walks.split(/^\*\*.*\*\*$/m);
  const counts = each.map(
    (walk) => new Set([...walk.matchAll(/`((?:packages|apps)\/[\w/.-]+)`/g)].map(([, path]) => path)).size,
  );
  const most = [20, 10, 15];
  expect(counts.map((count, index) => [count > 5, count <= (most[index] ?? 0)])).toEqual(most.map(() => [true, true]));
});

it("README's table of settings has the line of every variable that a module declares", () => {
  const readme = read("README.md");
  const lines = installedModules({ demo: true }).flatMap(({ variables }) =>
    variables.map(({ name, description }) => `| \`${name}\` | none | ${description} |`),
  );
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => !readme.includes(line))).toEqual([]);
});
