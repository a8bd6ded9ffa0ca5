import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FORMATS } from "./formats.ts";
import { IMPORTERS } from "./importers.ts";

/** What the module of a copy has; `products` are those whose workflows are imported. */
interface Seen {
  routes: string[];
  nodes: string[];
  tools: string[];
  permissions: string[];
  resources: string[];
  products: string[];
}

/** Prints what the module of each folder among its arguments has. */
const LOOK = `
const seen = [];
for (const folder of process.argv.slice(2)) {
  const { createWorkflowFormatsModule } = await import(folder + "/src/index.ts");
  const { routes, nodes, tools, permissions, resources } = createWorkflowFormatsModule();
  seen.push({
    routes: routes.map(({ method, path }) => method + " " + path),
    nodes: nodes.map(({ id }) => id),
    tools: tools.map(({ id }) => id),
    permissions: permissions.map(({ id }) => id),
    resources: resources.map(({ name }) => name),
    products: routes.find(({ path }) => path === "workflow-imports/preview").response.shape.product.options,
  });
}
console.log(JSON.stringify(seen));`;

/** An importer that nothing else in the repository knows. It loses every turn of a document. */
const ADDED = `
import { isObject } from "@oven/engine";

export const importer = {
  product: "lathe",
  title: "Lathe Studio",
  document: "the plan of Lathe Studio as JSON",
  recognises: (value) => isObject(value) && "turns" in value,
  load: async () => ({ turns }) => ({
    name: "Turned",
    description: null,
    definition: { initial: "done", states: { done: { type: "final" } } },
    source: {
      nodes: turns.map((name, index) => ({ key: name, name, path: "$.turns[" + index + "]", kind: "step" })),
      edges: [],
    },
  }),
};
`;

/** Starts a server with the module of the folder and prints its answers to documents of the product and to one of none. */
const PREVIEW = `
const [folder] = process.argv.slice(2);
const { startFormats } = await import(folder + "/src/shared/testing/start-formats.ts");
const oven = await startFormats(() => { throw new Error("no model is asked"); });
const key = await oven.keyFor("admin");
const answers = [];
for (const source of ['{"turns": []}', '{"cuts": []}', '{"turns": ["Chamfer"]}'])
  answers.push(await oven.call("POST", "workflow-imports/preview", { source }, { key }));
await oven.stop();
console.log(JSON.stringify(answers.map(({ status, body }) => ({ status, body }))));`;

const home = join(import.meta.dirname, "..");
let temporary: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), "oven-parts-"));
});
afterAll(() => rm(temporary, { recursive: true }));

/** A copy of the package; without a part its folders and its one line in each of their lists are gone. */
async function copyOf(without?: { kind: string; part: string }): Promise<string> {
  const copy = await mkdtemp(join(temporary, "copy-"));
  await cp(join(home, "src"), join(copy, "src"), { recursive: true });
  for (const name of ["node_modules", "migrations"]) await symlink(join(home, name), join(copy, name));
  if (without === undefined) return copy;
  const { kind, part } = without;
  await deletePart(join(copy, "src"), kind, part);
  if (existsSync(join(copy, "src/ui", kind, part))) await deletePart(join(copy, "src/ui"), kind, part);
  return copy;
}

async function deletePart(folder: string, kind: string, part: string): Promise<void> {
  await rm(join(folder, kind, part), { recursive: true });
  const list = join(folder, `${kind}.ts`);
  const lines = (await readFile(list, "utf8")).split("\n");
  const rest = lines.filter((line) => !line.includes(`"./${kind}/${part}/`));
  expect(lines.length - rest.length, `lines of ${part}`).toBe(1);
  await writeFile(list, rest.join("\n"));
}

/** In the order in which they are listed. */
async function partsOf(kind: string): Promise<string[]> {
  const text = await readFile(join(home, "src", `${kind}.ts`), "utf8");
  const listed = [...text.matchAll(/import\("\.\/\w+\/([\w-]+)\/index\.ts"\)/g)].map(([, part = ""]) => part);
  expect(listed.toSorted()).toEqual((await readdir(join(home, "src", kind))).toSorted());
  return listed;
}

/** @returns what a script prints that gets the folders as its arguments */
async function runIn<T>(script: string, ...folders: string[]): Promise<T> {
  const file = join(await mkdtemp(join(temporary, "script-")), "script.mjs");
  await writeFile(file, script);
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...folders], { maxBuffer: 16 * 1_048_576 });
  return JSON.parse(stdout);
}

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
const less = (whole: readonly string[], part: readonly string[]) => whole.filter((one) => !part.includes(one));

it("the module works without any one format and without any one importer, and lacks nothing but what was theirs", async () => {
  const formats = await partsOf("formats");
  const importers = await partsOf("importers");
  const copies = [
    await copyOf(),
    ...(await Promise.all(formats.map((part) => copyOf({ kind: "formats", part })))),
    ...(await Promise.all(importers.map((part) => copyOf({ kind: "importers", part })))),
  ];
  const [whole, ...without] = await runIn<Seen[]>(LOOK, ...copies);
  if (whole === undefined) throw new Error("nothing was seen");
  FORMATS.forEach((create, index) => {
    const format = create();
    const routes = format.routes.map(({ method, path }) => `${method} ${path}`);
    expect(routes.length).toBeGreaterThan(5);
    expect(without[index], formats[index]).toEqual({
      routes: less(whole.routes, routes),
      nodes: less(whole.nodes, idsOf(format.nodes)),
      tools: less(whole.tools, idsOf(format.tools)),
      permissions: less(whole.permissions, idsOf(format.permissions)),
      resources: less(whole.resources, [format.resource]),
      products: whole.products,
    });
  });
  IMPORTERS.forEach(({ product }, index) => {
    const products = less(whole.products, [product]);
    expect(without[FORMATS.length + index], product).toEqual({ ...whole, products });
  });
});

it("an importer that is a folder and a line is named in what the dashboard shows, by its own title", async () => {
  const copy = await copyOf();
  const part = "lathe";
  await mkdir(join(copy, "src/importers", part));
  await writeFile(join(copy, "src/importers", part, "index.ts"), ADDED);
  const list = join(copy, "src/importers.ts");
  const lines = (await readFile(list, "utf8")).split("\n");
  const last = lines.findLastIndex((line) => line.includes("/index.ts"));
  const line = lines[last]?.replace(/[\w-]+(?=\/index\.ts)/, part) ?? "";
  await writeFile(list, lines.toSpliced(last + 1, 0, line).join("\n"));
  const [read, unknown, lost] = await runIn<{ status: number; body: unknown }[]>(PREVIEW, copy);
  expect(read).toMatchObject({ status: 200, body: { product: "lathe", productTitle: "Lathe Studio", name: "Turned" } });
  expect(unknown).toMatchObject({
    status: 422,
    body: {
      error: {
        code: "SOURCE_INVALID",
        message: expect.stringContaining("Lathe Studio"),
        fix: expect.stringContaining("the plan of Lathe Studio as JSON"),
      },
    },
  });
  expect(lost).toMatchObject({
    status: 422,
    body: { error: { code: "IMPORT_INCOMPLETE", message: expect.stringContaining("“Chamfer” is lost") } },
  });
});
