import { isOvenError } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createSandbox, type Sandbox } from "./index.ts";
import { ESCAPES, type Outcome } from "./testing/escape-texts.ts";

const CANARY = "a-secret-of-the-server";
/** Long enough for honest code on a busy machine; only what ends with CODE_TIMEOUT or CODE_MEMORY gets near its limit. */
const HONEST_MS = 30_000;
const ENDLESS_MS = 200;

describe("ways out of the sandbox", () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    vi.stubEnv("OVEN_CANARY", CANARY);
    sandbox = createSandbox();
  });
  afterAll(() => {
    sandbox.close();
    vi.unstubAllEnvs();
  });

  it.each(ESCAPES)("%s", async (code, expected) => {
    const timeMs = "error" in expected && expected.error === "CODE_TIMEOUT" ? ENDLESS_MS : HONEST_MS;
    const outcome = await attempt(code, timeMs);
    expect(JSON.stringify(outcome)).not.toContain(CANARY);
    if ("result" in expected) expect(outcome).toEqual({ result: expected.result });
    else expect(outcome).toMatchObject({ error: expected.error, says: expect.stringMatching(expected.says ?? /./) });
  });

  async function attempt(code: string, timeMs: number): Promise<Outcome | { error: string; says: string }> {
    try {
      const request = { language: "javascript", code, inputs: {}, seed: "", limits: { timeMs } } as const;
      return { result: (await sandbox.run(request)).result };
    } catch (error) {
      if (!isOvenError(error)) throw error;
      return { error: error.code, says: `${error.message} ${JSON.stringify(error.details ?? {})}` };
    }
  }
});
