import { describe, expect, it } from "vitest";
import { runInThread, type ThreadWork } from "./run-in-thread.ts";

const HEAD =
  'import { parentPort, workerData } from "node:worker_threads"; const post = (m) => parentPort.postMessage(m);';

function run(code: string, more: Partial<ThreadWork<number>> = {}): Promise<{ text: string }> {
  return runInThread<{ text: string }, number>({
    file: new URL(`data:text/javascript,${encodeURIComponent(HEAD + code)}`),
    name: "test",
    job: "job",
    maxMemoryMb: 64,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    toError: (reason, cause) => new Error(`${reason}: ${cause instanceof Error ? cause.message : String(cause)}`),
    ...more,
  });
}

describe("work in a thread", () => {
  it("has the result that the thread posts, after each progress in order", async () => {
    const seen: number[] = [];
    const onProgress = async (step: number) => {
      // The first is slower than the second.
      await new Promise((done) => setTimeout(done, step === 1 ? 20 : 0));
      seen.push(step);
    };
    const code = "post({ progress: 1 }); post({ progress: 2 }); post({ text: workerData });";
    expect(await run(code, { onProgress })).toEqual({ text: "job" });
    expect(seen).toEqual([1, 2]);
  });

  it("ends with the error of a progress that cannot be kept", async () => {
    const onProgress = async () => {
      throw new Error("lost");
    };
    await expect(run("post({ progress: 1 }); setInterval(() => {}, 1000);", { onProgress })).rejects.toThrow("lost");
    await expect(run("post({ progress: 1 }); post({ text: '' });", { onProgress })).rejects.toThrow("lost");
  });

  it("says why there is no result", async () => {
    await expect(run("throw new Error('broken');")).rejects.toThrow("ended: broken");
    await expect(run("process.exit(0);")).rejects.toThrow("ended: undefined");
    await expect(run("setInterval(() => {}, 1000);", { timeoutMs: 10 })).rejects.toThrow("slow: undefined");
  });

  it("ends when it is aborted, with the reason", async () => {
    const stop = new AbortController();
    const steps: number[] = [];
    const onProgress = async (step: number) => {
      steps.push(step);
      if (step === 3) stop.abort(new Error("stopped"));
    };
    const code = "let step = 0; setInterval(() => post({ progress: ++step }), 5);";
    await expect(run(code, { onProgress, signal: stop.signal })).rejects.toThrow("stopped");
    expect(steps.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it("does not begin what is stopped already", async () => {
    await expect(run("post({ text: '' });", { signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow(
      "stopped",
    );
  });
});
