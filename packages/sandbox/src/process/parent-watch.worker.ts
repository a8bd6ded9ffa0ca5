import { workerData } from "node:worker_threads";

/* A process whose parent has died ends, also in the middle of code that lets nothing else of the process run. */
const EVERY_MS = 1_000;

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, "SIGKILL");
}, EVERY_MS);
