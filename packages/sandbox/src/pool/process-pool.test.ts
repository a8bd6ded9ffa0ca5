import { readFileSync } from "node:fs";
import { isOvenError } from "@oven/contract";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createSandbox, type Sandbox, type SandboxOptions } from "../index.ts";
import { isThere } from "../testing/is-there.ts";

const open: Sandbox[] = [];
afterEach(() => {
  for (const sandbox of open.splice(0)) sandbox.close();
  vi.unstubAllEnvs();
});

function create(options: SandboxOptions = {}) {
  const sandbox = createSandbox(options);
  open.push(sandbox);
  const run = (code: string, signal?: AbortSignal, timeMs = 60_000) =>
    sandbox.run({ language: "javascript", code, inputs: {}, seed: "", limits: { timeMs }, signal });
  return { sandbox, run };
}

const codeOf = (job: Promise<unknown>) =>
  job.then(
    () => "done",
    (error) => (isOvenError(error) ? error.code : error),
  );

describe("the processes that run code", () => {
  it("start with the first code, and each is used again", async () => {
    const { sandbox, run } = create({ processes: 1 });
    expect(sandbox.pids()).toEqual([]);
    const first = run("return 1");
    await expect.poll(() => sandbox.pids()).toHaveLength(1);
    const pids = sandbox.pids();
    await first;
    const second = run("return 2");
    await expect.poll(() => sandbox.pids()).toEqual(pids);
    await second;
  });

  it("fail only their own job when they are killed, and are replaced", async () => {
    const { sandbox, run } = create({ processes: 1 });
    const killed = codeOf(run("for (;;);"));
    await expect.poll(() => sandbox.pids()).toHaveLength(1);
    const waiting = run("return 2");
    for (const pid of sandbox.pids()) process.kill(pid, "SIGKILL");
    expect(await killed).toBe("CODE_CRASHED");
    expect(await waiting).toMatchObject({ result: 2 });
    expect(await run("return 3")).toMatchObject({ result: 3 });
  });

  it("end with a job that is aborted, whether it runs or waits", async () => {
    const { sandbox, run } = create({ processes: 1 });
    const running = new AbortController();
    const waiting = new AbortController();
    const first = codeOf(run("for (;;);", running.signal));
    await expect.poll(() => sandbox.pids()).toHaveLength(1);
    const [pid = 0] = sandbox.pids();
    const second = codeOf(run("return 2", waiting.signal));
    waiting.abort("not wanted");
    expect(await second).toBe("not wanted");
    running.abort("stopped");
    expect(await first).toBe("stopped");
    await expect.poll(() => isThere(pid)).toBe(false);
    expect(await run("return 3")).toMatchObject({ result: 3 });
    await expect(run("return 4", AbortSignal.abort("before"))).rejects.toBe("before");
  });

  it("are as many as set, and more jobs than may wait are refused", async () => {
    const { sandbox, run } = create({ processes: 2, maxWaiting: 1 });
    const stop = new AbortController();
    const jobs = [1, 2, 3].map(() => codeOf(run("for (;;);", stop.signal)));
    await expect.poll(() => sandbox.pids()).toHaveLength(2);
    expect(await codeOf(run("return 1"))).toBe("CODE_BUSY");
    stop.abort("enough");
    expect(await Promise.all(jobs)).toEqual(["enough", "enough", "enough"]);
  });

  it("close when nothing needs them, and with the sandbox", async () => {
    const { sandbox, run } = create({ processes: 1, idleMs: 0 });
    const job = run("return 1");
    await expect.poll(() => sandbox.pids()).toHaveLength(1);
    const [pid = 0] = sandbox.pids();
    await job;
    await expect.poll(() => isThere(pid)).toBe(false);
    const last = codeOf(run("for (;;);"));
    await expect.poll(() => sandbox.pids()).toHaveLength(1);
    sandbox.close();
    expect(await last).toBe("CODE_CRASHED");
    expect(await codeOf(run("return 1"))).toBe("CODE_BUSY");
  });

  // Only Linux shows the environment of another process.
  it.runIf(process.platform === "linux")(
    "have nothing of the server's environment, and its permissions only",
    async () => {
      vi.stubEnv("OVEN_CANARY", "a-secret-of-the-server");
      const { sandbox, run } = create({ processes: 1 });
      const job = codeOf(run("for (;;);"));
      await expect.poll(() => sandbox.pids()).toHaveLength(1);
      const read = (file: string) => readFileSync(`/proc/${sandbox.pids()[0]}/${file}`, "utf8").split("\0");
      const names = read("environ").map((entry) => entry.split("=")[0] ?? "");
      expect(names.filter((name) => !/^(TZ|NODE_CHANNEL_\w+|)$/.test(name))).toEqual([]);
      expect(read("cmdline")).toContain("--permission");
      expect(read("cmdline")).not.toContain("--allow-addons");
      sandbox.close();
      expect(await job).toBe("CODE_CRASHED");
    },
  );
});
