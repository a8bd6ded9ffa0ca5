import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { programFile } from "@oven/testing";

const MAIN = resolve(import.meta.dirname, "../main.ts");
const SECRET = "a-secret-of-the-tests-0123456789-abcdef";

export interface WorkerProcess {
  pid: number;
  output(): string;
  /** Of the health endpoint, where one was asked for. */
  health: string | undefined;
  signal(signal: NodeJS.Signals): void;
  /** The exit code once it has ended; null when a signal ended it. */
  ended: Promise<number | null>;
}

/** A worker in a process of its own; ready when this resolves. */
export async function startWorker(env: Record<string, string>): Promise<WorkerProcess> {
  const { worker, ended, output } = spawnWorker(env);
  await Promise.race([
    untilReady(worker, output),
    ended.then((code) => {
      throw new Error(`the worker ended with ${code} before it was ready:\n${output()}`);
    }),
  ]);
  return {
    pid: worker.pid ?? 0,
    output,
    health: /health: (\S+)\)/.exec(output())?.[1],
    signal: (signal) => worker.kill(signal),
    ended,
  };
}

/** A worker that is not expected to become ready. */
export function spawnWorker(env: Record<string, string>): {
  worker: ChildProcess;
  ended: Promise<number | null>;
  output(): string;
} {
  const worker = spawn(process.execPath, [programFile(MAIN)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: "production",
      OVEN_SECRET: SECRET,
      OVEN_DEMO: "0",
      ...env,
    },
  });
  let output = "";
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  worker.stdout.on("data", collect);
  worker.stderr.on("data", collect);
  const ended = once(worker, "exit").then(([code]) => code as number | null); // cast: what `exit` carries
  return { worker, ended, output: () => output };
}

function untilReady(worker: ChildProcess, output: () => string): Promise<void> {
  return new Promise((done) => {
    const check = () => {
      if (!output().includes("is ready")) return;
      worker.stdout?.off("data", check);
      done();
    };
    worker.stdout?.on("data", check);
  });
}
