import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createTestDataDir, freePort } from "@oven/db/testing";
import { installedModules } from "@oven/installation";

/** The built product, as `pnpm start` runs it. */
const OVEN = resolve(import.meta.dirname, "../../cli/dist/oven.mjs");
export const KEY = "bootstrap-key-of-the-end-to-end-tests";

export interface OvenProcess {
  url: string;
  dataDir: string;
  /** The one-time link, when there is no admin with a password yet. */
  setupUrl: string | undefined;
  output(): string;
  /** As its first admin, unless another key is given. */
  call(
    method: string,
    path: string,
    body?: unknown,
    as?: { key: string },
  ): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
  /** Sends the signal and answers the exit code, null when the signal ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

export interface OvenOptions {
  dataDir?: string;
  port?: number;
  env?: Record<string, string>;
  bootstrap?: boolean;
  /** How it is started, instead of the built product of this repository. */
  program?: { command: string; args: string[]; user?: number; cwd?: string };
}

/** What modules would read of the environment in which the tests run, such as keys of model vendors. */
function withoutModules(): Record<string, string> {
  const variables = installedModules({ demo: true }).flatMap((module) => module.variables);
  return Object.fromEntries(variables.map(({ name }) => [name, ""]));
}

/** The real server in a process of its own, on the built dashboard; ready when this resolves. */
export async function startOven(options: OvenOptions = {}): Promise<OvenProcess> {
  const dataDir = options.dataDir ?? createTestDataDir("oven-e2e-");
  const port = options.port ?? (await freePort());
  const { command, args, user, cwd } = options.program ?? { command: process.execPath, args: [OVEN, "start"] };
  const child = spawn(command, args, {
    ...(user === undefined ? {} : { uid: user, gid: user }),
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PORT: String(port),
      OVEN_DATA_DIR: dataDir,
      ...withoutModules(),
      DATABASE_URL: "",
      ...(options.bootstrap === false ? {} : { OVEN_BOOTSTRAP_API_KEY: KEY }),
      ...options.env,
    },
  });
  let output = "";
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  await untilReady(child, () => output);
  let isWanted = false;
  // A test that fails because its server is gone has to show that.
  child.once("exit", (code, signal) => {
    if (!isWanted)
      console.error(`The server at port ${port} ended by itself with ${signal ?? code}:\n${output.slice(-4_000)}`);
  });
  const url = `http://localhost:${port}`;
  return {
    url,
    dataDir,
    setupUrl: /Create the first admin: (\S+)/.exec(output)?.[1],
    output: () => output,
    call: async (method, path, body, { key } = { key: KEY }) => {
      const response = await fetch(`${url}/api/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
    },
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      isWanted = true;
      const exited = once(child, "exit");
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

function untilReady(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((done, reject) => {
    const check = () => {
      if (!output().includes("Ctrl-C stops it.")) return;
      child.stdout?.off("data", check);
      done();
    };
    child.stdout?.on("data", check);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code} before it was ready:\n${output()}`)));
  });
}
