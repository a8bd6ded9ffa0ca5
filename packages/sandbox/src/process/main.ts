import { setPriority } from "node:os";
import { Worker } from "node:worker_threads";
import type { CodeLanguage, ProcessAnswer, ProcessJob } from "../job.ts";

/*
 * A process that runs code, one job after the other. It is started with Node's permission model: it may read its own files, and nothing
 * else; it has no environment.
 */

/** Below the server, which goes on answering while code computes. */
const LOW_PRIORITY = 10;

type Run = (job: ProcessJob) => Promise<ProcessAnswer>;

const RUNNERS: Record<CodeLanguage, () => Promise<Run>> = {
  javascript: async () => (await import("./run-javascript.ts")).runJavascript,
};

async function main([, , language]: readonly string[]): Promise<void> {
  setPriority(LOW_PRIORITY);
  // The event loop stands still while code computes, so a thread looks whether the parent is still there.
  new Worker(new URL("./parent-watch.worker.ts", import.meta.url), { workerData: process.ppid }).unref();
  process.on("disconnect", () => process.exit(0));
  const run = await RUNNERS[language as CodeLanguage](); // cast: the pool names a language
  process.on("message", async (job: ProcessJob) => process.send?.(await run(job)));
  process.send?.("ready");
}

await main(process.argv);
