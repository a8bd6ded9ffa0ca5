import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, type TestBrowser } from "./browser.ts";
import { runDemo } from "./demos/run-demo.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { signUp } from "./sign-up.ts";

/** The shortest demo; `pnpm editor:demos` builds all three. */
describe("a demo workflow, built from an empty canvas", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    oven = await startOven();
    chromium = await openBrowser();
    ({ page } = await chromium.newPage({ width: 1600, height: 1000 }));
    await signUp(page, oven);
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  it.each(["mouse", "keyboard"] as const)(
    "is the demo, published and run to its end, with the %s alone",
    async (kind) => {
      const { built, wanted, status } = await runDemo(oven, page, "order-triage", kind);
      expect(built).toEqual(wanted);
      expect(status).toBe("completed");
    },
  );
});
