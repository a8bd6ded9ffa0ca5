import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as formats from "./formats.ts";
import { createOvenClient } from "./index.ts";

const packages = join(import.meta.dirname, "../..");

/** Prints the formats that a copy's client has, once all doors of the copy's contract were loaded. */
const LOOK = `
const { readFileSync } = await import("node:fs");
const [folder] = process.argv.slice(1);
const { exports } = JSON.parse(readFileSync(folder + "/contract/package.json", "utf8"));
for (const door of Object.values(exports)) if (!door.includes("*")) await import(folder + "/contract/" + door);
const { createOvenClient } = await import(folder + "/client/src/index.ts");
console.log(JSON.stringify(Object.keys(createOvenClient({ url: "http://localhost", key: "" }))));`;

let temporary: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), "oven-client-"));
});
afterAll(() => rm(temporary, { recursive: true }));

/** A copy of the client and the contract; without a format its two files and its one line in the list are gone. */
async function copyOf(without?: string): Promise<string> {
  const copy = await mkdtemp(join(temporary, "copy-"));
  for (const name of ["client", "contract"])
    for (const part of ["src", "package.json"])
      await cp(join(packages, name, part), join(copy, name, part), { recursive: true });
  await symlink(join(packages, "contract/node_modules"), join(copy, "contract/node_modules"));
  await mkdir(join(copy, "client/node_modules/@oven"), { recursive: true });
  await symlink(join(copy, "contract"), join(copy, "client/node_modules/@oven/contract"));
  const parser = "node_modules/eventsource-parser";
  await symlink(join(packages, "client", parser), join(copy, "client", parser));
  if (without === undefined) return copy;
  for (const name of ["client", "contract"]) await rm(join(copy, name, "src/formats", `${without}.ts`));
  const list = join(copy, "client/src/formats.ts");
  const lines = (await readFile(list, "utf8")).split("\n");
  const rest = lines.filter((line) => !line.includes(`/${without}.ts"`));
  expect(lines.length - rest.length, `lines of ${without}`).toBe(1);
  await writeFile(list, rest.join("\n"));
  return copy;
}

async function namesIn(copy: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", LOOK, copy]);
  return JSON.parse(stdout);
}

it("contract and client work without any one format, and lack nothing but what was its own", async () => {
  const names = Object.keys(formats);
  const all = Object.keys(createOvenClient({ url: "http://localhost", key: "" }));
  for (const name of ["client", "contract"]) {
    const files = await readdir(join(packages, name, "src/formats"));
    expect(files.map((file) => basename(file, ".ts")).toSorted(), name).toEqual(names.toSorted());
  }
  expect(await namesIn(await copyOf())).toEqual(all);
  for (const name of names)
    expect(await namesIn(await copyOf(name)), name).toEqual(all.filter((other) => other !== name));
});
