import { describe, expect, it } from "vitest";
import { runInThread, type ThreadWork } from "./run-in-thread.ts";

const HEAD = 'import { parentPort } from "node:worker_threads"; const post = (m) => parentPort.postMessage(m);';

/** The file of a thread that does `code` with each `job`. */
const onJob = (code: string) => `parentPort.on("message", async (job) => { ${code} });`;

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
    const code = onJob("post({ progress: 1 }); post({ progress: 2 }); post({ text: job });");
    expect(await run(code, { onProgress })).toEqual({ text: "job" });
    expect(seen).toEqual([1, 2]);
  });

  it("ends with the error of a progress that cannot be kept", async () => {
    const onProgress = async () => {
      throw new Error("lost");
    };
    await expect(run(onJob("post({ progress: 1 }); setInterval(() => {}, 1000);"), { onProgress })).rejects.toThrow(
      "lost",
    );
    await expect(run(onJob("post({ progress: 1 }); post({ text: '' });"), { onProgress })).rejects.toThrow("lost");
  });

  it("says why there is no result", async () => {
    await expect(run(onJob("throw new Error('broken');"))).rejects.toThrow("ended: broken");
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
    const code = onJob("let step = 0; setInterval(() => post({ progress: ++step }), 5);");
    await expect(run(code, { onProgress, signal: stop.signal })).rejects.toThrow("stopped");
    expect(steps.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it("does not begin what is stopped already", async () => {
    await expect(
      run(onJob("post({ text: '' });"), { signal: AbortSignal.abort(new Error("stopped")) }),
    ).rejects.toThrow("stopped");
  });

  describe("of a file that has run before", () => {
    const counting = (more: string) => `let jobs = 0; ${onJob(`jobs += 1; ${more}; post({ text: String(jobs) });`)}`;

    it("goes on in the same thread, and in others while that one works", async () => {
      const code = counting("await new Promise((done) => setTimeout(done, 5))");
      expect(await run(code)).toEqual({ text: "1" });
      expect(await run(code)).toEqual({ text: "2" });
      const both = await Promise.all([run(code), run(code)]);
      expect(both.map(({ text }) => text).sort()).toEqual(["1", "3"]);
    });

    it("begins anew after a job that failed, was slow or was aborted", async () => {
      const code = counting(
        "if (job === 'fail') throw new Error('broken'); if (job === 'wait') await new Promise(() => {})",
      );
      expect(await run(code)).toEqual({ text: "1" });
      await expect(run(code, { job: "fail" })).rejects.toThrow("ended: broken");
      expect(await run(code)).toEqual({ text: "1" });
      await expect(run(code, { job: "wait", timeoutMs: 10 })).rejects.toThrow("slow");
      expect(await run(code)).toEqual({ text: "1" });
      const stop = new AbortController();
      const running = run(code, { job: "wait", signal: stop.signal });
      stop.abort(new Error("stopped"));
      await expect(running).rejects.toThrow("stopped");
      expect(await run(code)).toEqual({ text: "1" });
    });

    it("begins anew where the thread has ended by itself", async () => {
      const code = counting("if (job === 'end') setTimeout(() => process.exit(0), 1)");
      expect(await run(code, { job: "end" })).toEqual({ text: "1" });
      await expect.poll(async () => (await run(code)).text).toBe("1");
    });
  });
});
