import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Json, parseJson } from "@oven/contract";
import { decodeText } from "@oven/contract/text";
import { type PromotedFile, PromotedFileSchema } from "@oven/contract/workflow";
import { FOLDERS, inOrder, type SyncItem, type SyncItems, toItem } from "./sync-item.ts";

/** Every `.json` file of the four folders. @throws Error that names the file which is not what its place says */
export async function readFolder(dir: string): Promise<SyncItems> {
  const items: SyncItem[] = [];
  for (const folder of FOLDERS)
    for (const name of await namesIn(join(dir, folder))) {
      if (!name.endsWith(".json")) continue;
      const path = `${folder}/${name}`;
      const item = toItem(toPromotedFile(await readFile(join(dir, path)), path));
      if (item.file.format === "oven-promotion") requireAlone(path, item.file);
      if (item.path !== path) throw new Error(`${path}: what is in it belongs to ${item.path}`);
      items.push(item);
    }
  return inOrder(items);
}

/** @throws Error that names the file and the place in it */
export function toPromotedFile(bytes: Uint8Array, what: string): PromotedFile {
  const { success, data, error } = PromotedFileSchema.safeParse(toJson(decodeText(bytes, { what }).text, what));
  if (success) return data;
  const [{ path, message } = { path: [], message: "" }] = error.issues;
  throw new Error(`${what}: ${path.length === 0 ? "" : `${path.join(".")}: `}${message}`);
}

/** @throws Error that names the file */
export function toJson(text: string, what: string): Json {
  try {
    return parseJson(text, { what });
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error(`${what} is not JSON: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Writes it as every other file is written. @returns whether that changed a byte */
export async function writeItem(dir: string, { path, file }: SyncItem): Promise<boolean> {
  const target = join(dir, path);
  const text = toText(file);
  if ((await readText(target)) === text) return false;
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text);
  return true;
}

export async function removeItem(dir: string, path: string): Promise<void> {
  await rm(join(dir, path));
}

export function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** undefined: there is no such file. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function requireAlone(path: string, { workflows, agents, tables }: PromotedFile & { format: "oven-promotion" }): void {
  if (workflows.length === 1 && agents.length === 0 && tables.length === 0) return;
  throw new Error(
    `${path}: has more than one workflow with its triggers. In a folder everything has a file of its own; import this one with \`oven promote\` and pull.`,
  );
}
