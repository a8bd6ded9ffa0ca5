import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "@oven/db/testing";

export interface PostgresProcess {
  url: string;
  /** Stops the server at once, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL from npm with an empty database. One that is not `durable` does not wait for its disk and may lose what was
 * committed when the machine stops, not when only the server does.
 * @throws Error when it does not start
 */
export async function startPostgres({ durable = true } = {}): Promise<PostgresProcess> {
  const settings = durable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];
  const port = String(await freePort());
  const child = spawn(process.execPath, [join(import.meta.dirname, "postgres-process.ts"), port, ...settings], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const lines = createInterface(child.stdout);
  const line = async (): Promise<string> => {
    const [text] = await Promise.race([
      once(lines, "line"),
      exited.then(([code]) => {
        throw new Error(`PostgreSQL ended with ${code}`);
      }),
    ]);
    return String(text);
  };
  const url = await line();
  return {
    url,
    restart: async () => {
      child.stdin.write("restart\n");
      await line();
    },
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
