import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const READY_WITHIN_MS = 60_000;
const POLL_MS = 50;

export interface ServerProcess {
  /** With all that it has started. */
  kill(): Promise<void>;
}

const running = new Set<number>();

// A group of its own gets no signal of this terminal's.
process.once("exit", () => {
  for (const pid of running) process.kill(-pid, "SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/**
 * Starts a server over HTTP.
 * @param directory where it works: some write files there
 * @throws Error with what it wrote, when nothing listens on its port
 */
export async function startServer(
  args: string[],
  { env, port, directory }: { env: Record<string, string>; port: number; directory: string },
): Promise<ServerProcess> {
  // A group of its own: what stands before another server has started that, and both are ended.
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", ...env },
  });
  const { pid = 0 } = child;
  running.add(pid);
  child.once("exit", () => running.delete(pid));
  let written = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      written = (written + chunk.toString()).slice(-2_000);
    });
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`nothing listens on ${port}: ${written}`);
    await pause(POLL_MS);
  }
  return { kill: () => killGroup(child) };
}

async function killGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  process.kill(-child.pid, "SIGKILL");
  await exited;
}

async function listens(port: number): Promise<boolean> {
  const answered = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) }).then(
    (answer) => answer.body?.cancel().then(() => true) ?? true,
    () => false,
  );
  return answered;
}

/** Ends the child processes of a process whose command line has this in it. @returns how many */
export function killChildren(parent: number, script: string): number {
  let killed = 0;
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const about = readProcess(entry);
    if (about === undefined || about.parent !== parent || !about.command.includes(script)) continue;
    process.kill(Number(entry), "SIGKILL");
    killed++;
  }
  return killed;
}

function readProcess(pid: string): { parent: number; command: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may have spaces in it.
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, "utf8") };
  } catch (error) {
    // It has ended meanwhile.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
      return undefined;
    throw error;
  }
}
