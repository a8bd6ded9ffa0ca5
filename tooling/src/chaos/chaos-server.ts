import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { programFile } from "../../../packages/testing/src/program-file.ts";

export const CHAOS_KEY = "bootstrap-key-of-the-chaos-harness";

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the harness looks into whatever came back
  body: any;
  /** Of a list: how many rows there are in all. */
  total: number | undefined;
}

export interface ChaosServer {
  pid: number;
  /** `http://127.0.0.1:…` */
  url: string;
  /** Resolves when the process is gone, with its exit code. */
  exited: Promise<number | null>;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  signal(signal: NodeJS.Signals): void;
  /** Bytes on its heap once garbage is gone; it must run with --expose-gc. */
  heapBytes(): Promise<number>;
  /** Standard error so far. */
  errors(): string;
}

/** A process of its own; ready when this resolves. */
export async function startChaosServer(environment: Record<string, string>): Promise<ChaosServer> {
  const nodeOptions = environment.CHAOS_NODE_OPTIONS?.split(" ") ?? [];
  const child = spawn(process.execPath, [...nodeOptions, programFile(join(import.meta.dirname, "chaos-process.ts"))], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: "production",
      OVEN_SECRET: "a-secret-of-the-chaos-harness-0123456789",
      OVEN_BOOTSTRAP_API_KEY: CHAOS_KEY,
      OVEN_DEMO: "0",
      ...environment,
    },
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-20_000);
  });
  const exited = once(child, "exit").then(([code]) => code as number | null); // cast: Node's exit event
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([
    once(lines, "line"),
    exited.then((code) => {
      throw new Error(`the process ended with ${code} before it was ready: ${errors}`);
    }),
  ]);
  const port = Number(String(line).split(" ")[1]);
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    exited,
    errors: () => errors,
    signal: (signal) => void child.kill(signal),
    heapBytes: async () => {
      child.kill("SIGUSR2");
      const [said] = await once(lines, "line");
      return Number(String(said).split(" ")[1]);
    },
    call: async (method, path, body, headers = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
        method,
        headers: { authorization: `Bearer ${CHAOS_KEY}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const [, total] = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "") ?? [];
      return {
        status: response.status,
        body: text === "" ? undefined : JSON.parse(text),
        total: total === undefined ? undefined : Number(total),
      };
    },
  };
}

const GONE_MS = 500;

/**
 * Sends a request that may be repeated until the server answers; undefined when its process has ended. A connection can also
 * break while the process lives, so a failed request alone does not prove that it ended.
 */
export async function callUnlessGone<T>(server: ChaosServer, send: () => Promise<T>): Promise<T | undefined> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const isGone = await Promise.race([server.exited.then(() => true), pause(GONE_MS).then(() => false)]);
      if (isGone) return undefined;
    }
  }
}
