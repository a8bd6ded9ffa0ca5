import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { OVEN_VERSION, parseJson } from "@oven/contract";
import { z } from "zod";

/** Of the repository, or of the installed package: both have their files at the same places. */
const ROOT = resolve(import.meta.dirname, "../../..");
const ReleaseSchema = z.object({ version: z.string(), commit: z.string().optional() });

export interface Release {
  version: string;
  /** As `git rev-parse HEAD` says it; undefined in a copy without a repository. */
  commit?: string;
}

/** What runs here. */
export function readRelease(root = ROOT): Release {
  const file = join(root, "release.json");
  const released = existsSync(file) ? ReleaseSchema.parse(parseJson(readFileSync(file, "utf8"))) : undefined;
  const commit = released === undefined ? readCommit(root) : released.commit;
  return { version: released?.version ?? OVEN_VERSION, ...(commit === undefined ? {} : { commit }) };
}

/** Where data lies unless a setting says so: in a repository beside the code, of an installed package in the user's home. */
export function defaultDataDir(root = ROOT): string {
  return existsSync(join(root, "release.json")) ? join(homedir(), ".oven") : join(root, ".oven");
}

/** What relative settings are relative to: the repository, or for an installed package where it is started. */
export function settingsFolder(root = ROOT): string {
  return existsSync(join(root, "release.json")) ? process.cwd() : root;
}

function readCommit(root: string): string | undefined {
  const head = readText(join(root, ".git/HEAD"));
  const ref = head?.startsWith("ref: ") ? head.slice("ref: ".length) : undefined;
  if (ref === undefined) return head;
  const packed = readText(join(root, ".git/packed-refs"))?.split("\n");
  return readText(join(root, ".git", ref)) ?? packed?.find((line) => line.endsWith(` ${ref}`))?.split(" ", 1)[0];
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
}
