import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { programFile } from "../../../packages/testing/src/program-file.ts";

const LOOK_MS = 10;

export interface Ending {
  /** Null: it was killed. */
  code: number | null;
  /** Milliseconds of its work. */
  ms: number;
  errors: string;
  /** Standard output. */
  output: string;
}

/**
 * Runs a command of backups in a process of its own.
 * @param killAfter milliseconds of its work after which it is killed, or whether it has come so far; undefined: never
 */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
  killAfter?: number | (() => boolean | Promise<boolean>),
): Promise<Ending> {
  const child = spawn(process.execPath, [programFile(join(import.meta.dirname, "backup-process.ts")), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
  });
  let errors = "";
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-5_000);
  });
  const exited = once(child, "exit").then(([code]) => code as number | null); // cast: Node's exit event
  const lines = createInterface(child.stdout);
  await Promise.race([once(lines, "line"), exited]);
  const begunAt = performance.now();
  const timer = typeof killAfter === "number" ? setTimeout(() => child.kill("SIGKILL"), killAfter) : undefined;
  if (typeof killAfter === "function") {
    while (child.exitCode === null && !(await killAfter())) await pause(LOOK_MS);
    child.kill("SIGKILL");
  }
  const code = await exited;
  clearTimeout(timer);
  return { code, ms: performance.now() - begunAt, errors, output };
}
