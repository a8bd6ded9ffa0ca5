import { setPriority } from "node:os";
import { Worker } from "node:worker_threads";
import type { CodeJob, CodeLanguage, ProcessAnswer, ProcessJob } from "../job.ts";

/*
 * A process that runs code, one job after the other. It is started with Node's permission model: it may read its own files, and nothing
 * else; it has no environment.
 */

/** Below the server, which goes on answering while code computes. */
const LOW_PRIORITY = 10;

type Run = (job: ProcessJob) => Promise<ProcessAnswer>;

const RUNNERS: Record<CodeLanguage, () => Promise<Run>> = {
  javascript: async () => {
    const { checkJavascript, runJavascript } = await import("./run-javascript.ts");
    // Programs that wait are of Python.
    return async (job) => (job.kind === "check" ? checkJavascript(job) : runJavascript(job as CodeJob)); // cast: by their language
  },
  python: async () => (await import("./answer-python.ts")).answerPython,
};

async function main([, , language]: readonly string[]): Promise<void> {
  setPriority(LOW_PRIORITY);
  // The event loop stands still while code computes, so a thread looks whether the parent is still there.
  new Worker(new URL("./parent-watch.worker.ts", import.meta.url), { workerData: process.ppid }).unref();
  process.on("disconnect", () => process.exit(0));
  const run = await RUNNERS[language as CodeLanguage]().catch(toMissing); // cast: the pool names a language
  process.on("message", async (job: ProcessJob) => process.send?.(await run(job)));
  process.send?.("ready");
}

/** Not every language has an interpreter for every machine. */
function toMissing(cause: Error): Run {
  const message = `The interpreter of this language cannot be loaded on this machine: ${cause.message}`;
  const fix = "Write the code in JavaScript, or run OVEN on a machine that the interpreter is built for.";
  return async () => ({ type: "failure", failure: { code: "CODE_FAILED", message, fix }, logs: [] });
}

await main(process.argv);
