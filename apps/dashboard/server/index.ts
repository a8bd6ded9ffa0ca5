import { getRequestListener } from "@hono/node-server";
import { isOvenError } from "@oven/contract";
import type { Oven } from "@oven/installation";
import { dropEmptyVariables, readEnvironment, type ServerEnvironment } from "@oven/installation/environment";
import { createHttpServer, type HttpServer, type NodeHandler } from "./http-server.ts";
import { createPages } from "./pages/pages.ts";

/** What closing takes beside the calls in flight. */
const HARD_EXIT_MARGIN_MS = 2_000;

/** Starts the server: database, runtime, dashboard, worker. Ctrl-C and SIGTERM stop it, and so does an error that nothing caught. */
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
  const built = dev ? undefined : createPages();
  const { openOven, stopOnSignals, toLogLine } = await import("@oven/installation");
  const oven = await openOven(environment);
  let pages: NodeHandler | undefined;
  let draining = false;
  const http = createHttpServer(
    oven.runtime.fetch,
    () => pages,
    environment.trustedProxies,
    undefined,
    () => oven.readiness(draining),
  );
  let closePages = async (): Promise<void> => {};
  const stop = async (): Promise<void> => {
    draining = true;
    await http.close();
    await closePages();
    await oven.close();
  };
  stopOnSignals(stop, { hardExitMs: environment.worker.drainMs + HARD_EXIT_MARGIN_MS, secondSignal: "ignored" });
  if (built === undefined) {
    const { createDevPages } = await import("./pages/dev-pages.ts");
    ({ handler: pages, close: closePages } = await createDevPages(http.server));
  } else {
    pages = getRequestListener(built.fetch);
  }
  await listen(http, environment);
  await announce(environment, oven, startedAt, toLogLine);
}

function listen(http: HttpServer, { host, port }: ServerEnvironment): Promise<void> {
  return new Promise((done, reject) => {
    http.server.once("error", reject);
    http.server.listen(port, host, done);
  });
}

async function announce(
  environment: ServerEnvironment,
  oven: Oven,
  startedAt: number,
  toLine: (level: string, message: string) => string,
): Promise<void> {
  const link = await oven.runtime.services.access.newSetupLink();
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  const database = environment.databaseUrl === undefined ? `embedded, in ${environment.dataDir}` : "PostgreSQL";
  const lines = [
    `OVEN is ready at ${environment.publicUrl} (${seconds} s; database: ${database})`,
    ...(link === undefined ? [] : [`Create the first admin: ${link}`]),
    "Ctrl-C stops it.",
  ];
  const text = environment.logFormat === "json" ? toLine("info", lines.join("\n")) : `\n${lines.join("\n")}\n`;
  process.stdout.write(`${text}\n`);
}
