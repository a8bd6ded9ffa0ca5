import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createSandbox } from "../index.ts";
import { computedMsOf } from "./computed-ms-of.ts";

/** Longer by the clock than the limit and the time until a process is killed. */
const STOPPED_MS = 2_700;
const LIMIT_MS = 1_500;
/** So much of the processor's time later, the code is on its way. */
const BEGUN_MS = 120;

describe.runIf(process.platform === "linux")("code on a machine that lets it wait", () => {
  const sandbox = createSandbox({ processes: 1 });
  afterAll(() => sandbox.close());

  it.each([
    ["javascript", "let sum = 0; for (let n = 0; n < 3000000; n++) sum += n; return sum"],
    ["python", "total = 0\nfor n in range(3000000):\n  total += n\ntotal"],
  ] as const)("has its time of the processor, not of the clock: %s", async (language, code) => {
    const request = { language, inputs: {}, seed: "" };
    await sandbox.run({ ...request, code: language === "python" ? "1" : "return 1" });
    const running = sandbox.run({ ...request, code, limits: { timeMs: LIMIT_MS } });
    await expect.poll(() => sandbox.pids()).toHaveLength(1);
    const [pid = 0] = sandbox.pids();
    const before = computedMsOf(pid);
    await expect.poll(() => computedMsOf(pid), { interval: 5 }).toBeGreaterThanOrEqual(before + BEGUN_MS);
    process.kill(pid, "SIGSTOP");
    await pause(STOPPED_MS);
    process.kill(pid, "SIGCONT");
    expect(await running).toMatchObject({ result: 4499998500000 });
  });

  it("still ends where it computes for too long", async () => {
    const endless = sandbox.run({
      ...{ language: "python", code: "while True: pass", inputs: {}, seed: "" },
      limits: { timeMs: LIMIT_MS },
    });
    await expect(endless).rejects.toMatchObject({ code: "CODE_TIMEOUT" });
  });
});
