import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@oven/db/testing";
import type { ProbeReading } from "./loop-probe.ts";

const OVEN = join(import.meta.dirname, "../../../apps/cli/dist/oven.mjs");
const PROBE = join(import.meta.dirname, "loop-probe.ts");
const KEY = `oven_${"k".repeat(40)}`;

export interface BuiltAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: who measures looks into whatever came back
  body: any;
  /** Of a list: how many rows there are in all. */
  total: number | undefined;
}

/** @throws Error when the product is not built */
export function requireBuild(command: string): void {
  if (!existsSync(OVEN))
    throw new Error(`${command}: build OVEN first, with \`pnpm start\` or \`pnpm turbo run build\``);
}

/** The built server in a process of its own, with a probe in it. */
export class BuiltServer {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly url: string;
  readonly headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };

  private constructor(child: ChildProcess, folder: string, url: string) {
    this.#child = child;
    this.#folder = folder;
    this.url = url;
  }

  /** @throws Error when it ends before it is ready */
  static async start(databaseUrl: string, environment: Record<string, string> = {}): Promise<BuiltServer> {
    const folder = mkdtempSync(join(tmpdir(), "oven-load-"));
    const port = await freePort();
    const child = spawn(process.execPath, ["--expose-gc", "--import", PROBE, OVEN, "start"], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        DATABASE_URL: databaseUrl,
        OVEN_DATA_DIR: folder,
        OVEN_SECRET: "a-secret-of-the-load-harness-0123456789",
        OVEN_BOOTSTRAP_API_KEY: KEY,
        OVEN_DEMO: "0",
        PORT: `${port}`,
        // How the memory of the process is shared out is tried with it.
        ...(process.env.MALLOC_ARENA_MAX === undefined ? {} : { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX }),
        ...environment,
      },
    });
    let said = "";
    await new Promise<void>((ready, fail) => {
      child.stdout?.on("data", (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-10_000);
        if (said.includes("Ctrl-C stops it.")) ready();
      });
      child.once("exit", (code) => fail(new Error(`the server ended with ${code}:\n${said}`)));
    });
    return new BuiltServer(child, folder, `http://127.0.0.1:${port}/api`);
  }

  async call(method: string, path: string, body?: unknown): Promise<BuiltAnswer> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${this.url}/${path}`, { method, headers: this.headers, ...sent });
    const text = await response.text();
    const [, total] = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "") ?? [];
    return {
      status: response.status,
      body: text === "" ? undefined : JSON.parse(text),
      ...{ total: total === undefined ? undefined : Number(total) },
    };
  }

  /** As `call`. @throws Error when it is refused */
  async ask(method: string, path: string, body?: unknown): Promise<BuiltAnswer> {
    const answer = await this.call(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** Publishes a workflow. @returns its id */
  async workflow(name: string, definition: object): Promise<number> {
    return (await this.ask("POST", "workflows", { name, definition })).body.id;
  }

  /** What the probe has seen since the last reading, with no garbage on the heap. */
  async read(): Promise<ProbeReading> {
    const answered = once(this.#child, "message");
    this.#child.send("read");
    const [reading] = await answered;
    return reading as ProbeReading; // cast: the probe sends nothing else
  }

  /** Its memory now. Linux only. */
  residentBytes(): number {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, "utf8")) ?? [];
    return Number(kibibytes) * 1_024;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
