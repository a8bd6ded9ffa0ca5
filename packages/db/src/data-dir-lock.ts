import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { OvenError } from "@oven/contract";
import { currentProcessSpace } from "./process-space.ts";
import { keepFresh, staysStill } from "./sign-of-life.ts";

interface Holder {
  pid: number;
  /** Where that pid means something; absent in locks of older versions, which knew one space only. */
  space?: string;
  host?: string;
  /** Start time of the process in clock ticks: tells a reused pid from the holder. */
  started: string | null;
  token: string;
  since: string;
}

export interface DataDirLock {
  release(): void;
}

export interface LockOptions {
  /** Where this process's pid means something. */
  space?: string;
  /** How long a holder whose pid says nothing here may show no sign of life. */
  patienceMs?: number;
}

/** The holder signs every second, from a thread that a blocked event loop does not stop. */
const PATIENCE_MS = 15_000;

/**
 * Guards a PGlite directory: two processes on one directory silently lose commits, and PGlite has no lock of its own.
 * A living holder is named and never evicted (its event loop may be blocked for long); a dead one is reaped. Of a holder in
 * another container or on another machine the pid says nothing: it lives as long as it keeps signing the lock.
 * @throws OvenError DATA_DIR_LOCKED, DATA_DIR_UNUSABLE
 */
export async function lockDataDir(dataDir: string, options: LockOptions = {}): Promise<DataDirLock> {
  const { space = currentProcessSpace(), patienceMs = PATIENCE_MS } = options;
  const path = join(dataDir, "oven.lock");
  const mine: Holder = {
    pid: process.pid,
    space,
    host: hostname(),
    started: startTimeOf(process.pid),
    token: randomUUID(),
    since: new Date().toISOString(),
  };
  const draft = join(dataDir, `oven.lock.${mine.token}`);
  writeDraft(dataDir, draft, mine);
  try {
    for (let attempt = 0; attempt < 20; attempt++) {
      if (tryLink(draft, path)) return held(path, mine.token);
      const holder = readHolder(path);
      if (holder === undefined) continue;
      const isNear = holder.space === undefined || holder.space === space;
      const isDead = holder.pid <= 0 || (isNear ? !isAlive(holder) : await staysStill(path, patienceMs));
      if (!isDead) throw locked(dataDir, holder, isNear);
      reap(path, holder, mine.token);
    }
    throw new OvenError("DATA_DIR_LOCKED", `The lock of ${dataDir} changes hands too often to be taken`, {
      fix: "Start one process at a time.",
      status: 503,
    });
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(dataDir: string, draft: string, mine: Holder): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  } catch (error) {
    throw new OvenError(
      "DATA_DIR_UNUSABLE",
      `The data directory ${dataDir} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      {
        fix: "Give this user the right to write there, free some space, or choose another OVEN_DATA_DIR.",
        status: 503,
        cause: error,
      },
    );
  }
}

function held(path: string, token: string): DataDirLock {
  const letGo = keepFresh(path);
  return {
    release: () => {
      letGo();
      release(path, token);
    },
  };
}

function locked(dataDir: string, holder: Holder, isNear: boolean): OvenError {
  const own = isNear && holder.pid === process.pid ? " (this very process)" : "";
  const where = isNear ? "" : ` of ${holder.host ?? "another machine"}, in a container or on a machine of its own,`;
  return new OvenError(
    "DATA_DIR_LOCKED",
    `The data directory ${dataDir} is in use by process ${holder.pid}${own}${where} since ${holder.since}`,
    {
      fix: `Stop process ${holder.pid}, choose another OVEN_DATA_DIR, or set DATABASE_URL to run several processes on PostgreSQL.`,
      status: 503,
    },
  );
}

/** Hard links are created atomically, with their content. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** The holder of a broken lock: none. A lock is written with its whole content, so a broken one was left by a machine that went down. */
const UNREADABLE: Holder = { pid: 0, started: null, token: "", since: "" };

function readHolder(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  return parseHolder(text) ?? UNREADABLE;
}

function parseHolder(text: string): Holder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof value !== "object" || value === null || !("pid" in value) || !Number.isSafeInteger(value.pid))
    return undefined;
  return value as Holder; // cast: we alone write this file
}

/** Moves a dead holder's lock aside. Only one of several reapers can move it; a living lock moved by mistake is put back. */
function reap(path: string, dead: Holder, token: string): void {
  const grave = `${path}.dead.${token}`;
  try {
    renameSync(path, grave);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  const moved = readHolder(grave);
  if (moved !== undefined && moved.token !== dead.token) tryLink(grave, path);
  rmSync(grave, { force: true });
}

function release(path: string, token: string): void {
  if (readHolder(path)?.token === token) rmSync(path, { force: true });
}

function isAlive(holder: Holder): boolean {
  // 0 and below would ask for whole process groups.
  if (holder.pid <= 0) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it lives, but belongs to somebody else.
    if (errorCode(error) !== "EPERM") return false;
  }
  const started = startTimeOf(holder.pid);
  return started === null || holder.started === null || started === holder.started;
}

/** Field 22 of /proc/PID/stat; null where there is no procfs. */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie holds nothing any more.
    if (fields[0] === "Z") return "zombie";
    return fields[19] ?? null;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ESRCH") return null;
    throw error;
  }
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
