import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

/** What processes of a tree use, added up. */
export interface Usage {
  processes: number;
  /** Bytes in memory; what they share counts for each. */
  rssBytes: number;
  /** Seconds of processor time since they began. */
  cpuSeconds: number;
  /** How often a thread went to sleep and was woken since they began. */
  wakeUps: number;
}

const TICKS_PER_SECOND = 100;

/** A program that says on standard output that it is ready. */
export class IdleProcess {
  readonly #child: ChildProcess;
  readonly readyMs: number;

  private constructor(child: ChildProcess, readyMs: number) {
    this.#child = child;
    this.readyMs = readyMs;
  }

  /**
   * Starts it, and resolves when it is ready.
   * @param sign the text that says so
   * @throws Error when it ends before
   */
  static async start(args: readonly string[], env: Record<string, string>, sign: string): Promise<IdleProcess> {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    await new Promise<void>((done, reject) => {
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes(sign)) done();
      });
      child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}:\n${said}`)));
    });
    return new IdleProcess(child, performance.now() - startedAt);
  }

  usage(): Usage {
    return usageOf(this.#child.pid ?? 0);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}

/** Of a process and all that it started. Linux only. */
export function usageOf(root: number): Usage {
  const total: Usage = { processes: 0, rssBytes: 0, cpuSeconds: 0, wakeUps: 0 };
  for (const pid of treeOf(root)) {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    // After the name, which may hold spaces: user and system time are the 12th and 13th fields.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    total.processes += 1;
    total.rssBytes += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1_024;
    total.cpuSeconds += (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const its = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
      total.wakeUps += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(its)?.[1] ?? 0);
    }
  }
  return total;
}

function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const parent = Number(
        readFileSync(`/proc/${name}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ")[1],
      );
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch (error) {
      // It ended between the list and the look.
      if (!(error instanceof Error && "code" in error && ["ENOENT", "ESRCH"].includes(String(error.code)))) throw error;
    }
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}
