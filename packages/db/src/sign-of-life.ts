import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";

/*
 * A file's modification time as a sign of life, for those to whom the holder's pid says nothing. Only whether it changes
 * counts, so clocks of different machines need not agree.
 */
const SIGN_MS = 1_000;
const LOOK_MS = 250;

/** A thread of its own: the event loop may be blocked for longer than others have patience. Ends when the file has gone. */
const SIGNER = `
  const { utimesSync } = require("node:fs");
  const { workerData } = require("node:worker_threads");
  const timer = setInterval(() => {
    try {
      utimesSync(workerData.path, new Date(), new Date());
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
      clearInterval(timer);
    }
  }, workerData.every);
`;

/** Signs the file every second until the returned function is called. */
export function keepFresh(path: string): () => void {
  // Without the process's own flags: some change what kind of source this is.
  const signer = new Worker(SIGNER, { eval: true, execArgv: [], workerData: { path, every: SIGN_MS } });
  signer.unref();
  signer.on("error", (error) => console.warn(`signing ${path} failed: ${error.message}`));
  return () => void signer.terminate();
}

/** Whether the file keeps its modification time for that long; true also when it goes away meanwhile. */
export async function staysStill(path: string, milliseconds: number): Promise<boolean> {
  const first = modifiedAt(path);
  for (const until = performance.now() + milliseconds; performance.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_MS, milliseconds)));
    const now = modifiedAt(path);
    if (now === undefined) return true;
    if (now !== first) return false;
  }
  return true;
}

function modifiedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
