import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isOvenError } from "@oven/contract";
import type { Oven } from "@oven/installation";
import { dropEmptyVariables, readEnvironment, type ServerEnvironment } from "@oven/installation/environment";
import { createHttpServer, type HttpServer, type NodeHandler } from "./http-server.ts";

/** What closing takes beside the calls in flight. */
const HARD_EXIT_MARGIN_MS = 2_000;
const PAGES_CLOSE_MS = 500;

/**
 * Starts the server: database, runtime, dashboard, worker. Ctrl-C and SIGTERM stop it; a crash that nobody caught stops it too,
 * because Next would swallow it and serve on.
 */
export async function main(options: { dev: boolean; startedAt: number }): Promise<void> {
  try {
    await start(options);
  } catch (error) {
    if (isOvenError(error)) console.error(`oven: ${error.message}${error.fix === undefined ? "" : ` ${error.fix}`}`);
    else console.error("oven could not start:", error);
    process.exit(1);
  }
}

async function start({ dev, startedAt }: { dev: boolean; startedAt: number }): Promise<void> {
  dropEmptyVariables(process.env);
  const environment = readEnvironment(process.env, dev);
  const { openOven, stopOnSignals } = await import("@oven/installation");
  const oven = await openOven(environment);
  let pages: NodeHandler | undefined;
  const http = createHttpServer(oven.runtime.fetch, () => pages, environment.trustedProxies);
  let closePages = async (): Promise<void> => {};
  const stop = async (): Promise<void> => {
    await http.close();
    await Promise.race([closePages(), pause(PAGES_CLOSE_MS)]);
    await oven.close();
  };
  stopOnSignals(stop, { hardExitMs: environment.worker.drainMs + HARD_EXIT_MARGIN_MS, secondSignal: "ignored" });
  await listen(http, environment);
  const app = await createPages(http, environment, dev);
  pages = app.handler;
  closePages = app.close;
  // Next attaches its hot-reload socket at its first request only.
  if (dev) await fetch(`${localUrl(environment)}/favicon.ico`);
  await announce(environment, oven, startedAt);
}

async function createPages(http: HttpServer, environment: ServerEnvironment, dev: boolean) {
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  const imported = await import("next");
  const next = imported.default as unknown as typeof imported.default.default; // cast: Node gives a CommonJS module as default
  const app = next({
    dev,
    dir: resolve(import.meta.dirname, ".."),
    hostname: environment.host,
    port: environment.port,
    httpServer: http.server,
    turbopack: true,
  });
  await app.prepare();
  return { handler: app.getRequestHandler() as NodeHandler, close: () => app.close() }; // cast: Next's handler takes the same pair
}

function listen(http: HttpServer, { host, port }: ServerEnvironment): Promise<void> {
  return new Promise((done, reject) => {
    http.server.once("error", reject);
    http.server.listen(port, host, done);
  });
}

function localUrl({ host, port }: ServerEnvironment): string {
  return `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
}

async function announce(environment: ServerEnvironment, oven: Oven, startedAt: number): Promise<void> {
  const link = await oven.runtime.services.access.newSetupLink();
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  const database = environment.databaseUrl === undefined ? `embedded, in ${environment.dataDir}` : "PostgreSQL";
  const lines = [
    `OVEN is ready at ${environment.publicUrl} (${seconds} s; database: ${database})`,
    ...(link === undefined ? [] : [`Create the first admin: ${link}`]),
    "Ctrl-C stops it.",
  ];
  process.stdout.write(`\n${lines.join("\n")}\n\n`);
}
