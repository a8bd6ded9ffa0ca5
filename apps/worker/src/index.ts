import { setTimeout as pause } from "node:timers/promises";
import { isOvenError } from "@oven/contract";
import { dropEmptyVariables, readWorkerEnvironment } from "@oven/installation/environment";
import { type HealthServer, startHealthServer } from "./health-server.ts";
import { waitForDatabase } from "./wait-for-database.ts";

/** What closing takes beside the calls in flight. */
const HARD_EXIT_MARGIN_MS = 5_000;

/**
 * Starts a process that only works on runs. As many as wanted, on one PostgreSQL. SIGTERM and Ctrl-C let calls in flight finish; a second
 * signal ends the process at once.
 */
export async function main(): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (isOvenError(error))
      console.error(`oven worker: ${error.message}${error.fix === undefined ? "" : ` ${error.fix}`}`);
    else console.error("oven worker could not start:", error);
    process.exit(1);
  }
}

async function start(): Promise<void> {
  dropEmptyVariables(process.env);
  const environment = readWorkerEnvironment(process.env);
  // Loaded afterwards: a wrong variable should not cost a second.
  const { openOven, stopOnSignals, toLogLine } = await import("@oven/installation");
  const oven = await waitForDatabase(() => openOven(environment), {
    limitMs: environment.databaseWaitMs,
    now: () => performance.now(),
    pause: (milliseconds) => pause(milliseconds),
    say: (line) => console.error(line),
  });
  let draining = false;
  let health: HealthServer | undefined;
  const stop = async (): Promise<void> => {
    draining = true;
    await oven.close();
    await health?.close();
  };
  stopOnSignals(stop, { hardExitMs: environment.worker.drainMs + HARD_EXIT_MARGIN_MS, secondSignal: "ends" });
  if (environment.healthPort !== undefined) {
    health = await startHealthServer(
      { host: environment.host, port: environment.healthPort },
      {
        health: async () => ({ live: true, ready: !draining && (await oven.isReady()), draining }),
        readiness: () => oven.readiness(draining),
        metrics: () => oven.runtime.services.workflowPlatform.telemetry.metrics.text(),
      },
    );
  }
  const { concurrency } = environment.worker;
  const where = health === undefined ? "" : `; health: http://${environment.host}:${health.port}/health`;
  const ready = `OVEN worker ${process.pid} is ready (${concurrency} runs at once${where})`;
  process.stdout.write(`${environment.logFormat === "json" ? toLogLine("info", ready) : ready}\n`);
}
