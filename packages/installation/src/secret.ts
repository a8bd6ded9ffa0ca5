import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OvenError } from "@oven/contract";

/**
 * The secret made at the first start, readable by the owner only.
 * @throws OvenError DATA_DIR_UNUSABLE; INVALID_ENVIRONMENT when the file was cut short, for sessions must not be signed with nothing
 */
export function keepSecret(dataDir: string): string {
  return checked(
    dataDir,
    usable(dataDir, () => readFile(dataDir) ?? makeFile(dataDir)),
  );
}

/**
 * The secret that the server of this installation made.
 * @param needer who asks for it, for the error
 * @throws OvenError INVALID_ENVIRONMENT when there is none; DATA_DIR_UNUSABLE
 */
export function readSecret(dataDir: string, needer: string): string {
  const secret = usable(dataDir, () => readFile(dataDir));
  if (secret !== undefined) return checked(dataDir, secret);
  throw new OvenError("INVALID_ENVIRONMENT", `OVEN_SECRET: ${needer} needs the server's, and ${dataDir} has none`, {
    fix: "Set OVEN_SECRET to the same value as the server, or OVEN_DATA_DIR to its data directory.",
  });
}

/** @throws OvenError DATA_DIR_UNUSABLE */
export function hasSecret(dataDir: string): boolean {
  return usable(dataDir, () => readFile(dataDir)) !== undefined;
}

function checked(dataDir: string, secret: string): string {
  if (secret.length >= 32) return secret;
  throw new OvenError("INVALID_ENVIRONMENT", `The secret in ${pathIn(dataDir)} has fewer than 32 characters`, {
    fix: "Set OVEN_SECRET, or delete the file to get a new one; everybody signs in again then.",
  });
}

function pathIn(dataDir: string): string {
  return join(dataDir, "secret");
}

function readFile(dataDir: string): string | undefined {
  try {
    return readFileSync(pathIn(dataDir), "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function makeFile(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const secret = randomBytes(32).toString("base64url");
  writeFileSync(pathIn(dataDir), `${secret}\n`, { mode: 0o600, flag: "wx" });
  return secret;
}

function usable<T>(dataDir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new OvenError(
      "DATA_DIR_UNUSABLE",
      `The data directory ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      { fix: "Give this user the right to write there, or choose another OVEN_DATA_DIR.", cause: error },
    );
  }
}
