import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
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
for (const folder of process.argv.slice(1)) {
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

const home = join(import.meta.dirname, "..");
let temporary: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), "oven-parts-"));
});
afterAll(() => rm(temporary, { recursive: true }));

/** A copy of the package; without a part its folder and its one line in the list are gone. */
async function copyOf(without?: { kind: string; part: string }): Promise<string> {
  const copy = await mkdtemp(join(temporary, "copy-"));
  await cp(join(home, "src"), join(copy, "src"), { recursive: true });
  await symlink(join(home, "node_modules"), join(copy, "node_modules"));
  if (without === undefined) return copy;
  const { kind, part } = without;
  await rm(join(copy, "src", kind, part), { recursive: true });
  const list = join(copy, "src", `${kind}.ts`);
  const lines = (await readFile(list, "utf8")).split("\n");
  const rest = lines.filter((line) => !line.includes(`"./${kind}/${part}/`));
  expect(lines.length - rest.length, `lines of ${part}`).toBe(1);
  await writeFile(list, rest.join("\n"));
  return copy;
}

/** In the order in which they are listed. */
async function partsOf(kind: string): Promise<string[]> {
  const text = await readFile(join(home, "src", `${kind}.ts`), "utf8");
  const listed = [...text.matchAll(/import\("\.\/\w+\/(\w+)\/index\.ts"\)/g)].map(([, part = ""]) => part);
  expect(listed.toSorted()).toEqual((await readdir(join(home, "src", kind))).toSorted());
  return listed;
}

async function look(copies: readonly string[]): Promise<Seen[]> {
  const args = ["--input-type=module", "-e", LOOK, ...copies];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16 * 1_048_576 });
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
  const [whole, ...without] = await look(copies);
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
