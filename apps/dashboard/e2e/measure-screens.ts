import { cpus, loadavg } from "node:os";
import { gzipSync } from "node:zlib";
import type { Cookie, Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "./browser.ts";
import { startOven } from "./oven-process.ts";
import { signUp } from "./sign-up.ts";

/*
 * `pnpm scale:screens`: the first screen and the lists, each opened as a first visit with nothing in the browser's cache. A screen is
 * interactive when what it lists stands there and the page answers. Each number is printed beside its limit; one that is missed ends it
 * with 1. Times of the clock mean something on a machine that does nothing else.
 */
/** Of the first screen; lists and details have more on them. */
const MAX_FIRST_SCRIPT_KB = 350;
const MAX_SCRIPT_KB = 430;
const MAX_MS = 2_000;
const SCREENS = [
  "",
  "agent-workflows",
  "workflows",
  "agent-workflow-executions",
  "reviews",
  "triggers",
  "mcp-servers",
  "users",
  "audit-log",
  "events",
];

/** Bytes of the scripts a page has loaded, compressed; each is counted once, however often it is asked for. */
export function countScripts(page: Page): () => number {
  const sizes = new Map<string, number>();
  page.on("response", async (response) => {
    const url = response.url();
    if (!url.includes("/assets/") || !url.endsWith(".js") || sizes.has(url)) return;
    sizes.set(url, 0);
    const body = await response.body().catch(() => Buffer.alloc(0));
    // The layout worker is loaded beside the page.
    if (!body.includes("org.eclipse.elk")) sizes.set(url, gzipSync(body).length);
  });
  return () => [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

async function visit(
  chromium: TestBrowser,
  cookies: Cookie[],
  url: string,
): Promise<{ milliseconds: number; kilobytes: number }> {
  const { page } = await chromium.newPage({ width: 1280, height: 844 });
  await page.context().addCookies(cookies);
  const scripts = countScripts(page);
  const startedAt = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await page.locator("main h1").first().waitFor();
  // Skeletons stand for what has not come yet.
  await page.locator("main:not(:has(.MuiSkeleton-root))").waitFor();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  const milliseconds = performance.now() - startedAt;
  await page.waitForLoadState("networkidle");
  const kilobytes = scripts() / 1_000;
  await page.context().close();
  return { milliseconds, kilobytes };
}

async function measure(): Promise<number> {
  const oven = await startOven({ env: { OVEN_DEMO: "1" } });
  const chromium = await openBrowser();
  let missed = 0;
  const report = (what: string, value: number, limit: number, unit: string) => {
    if (value > limit) missed += 1;
    process.stdout.write(
      `${value <= limit ? "✓" : "✗"} ${what}: ${Math.round(value)} ${unit} (limit ${limit} ${unit})\n`,
    );
  };
  try {
    const { page } = await chromium.newPage();
    await signUp(page, oven);
    const { cookies } = await page.context().storageState();
    for (const path of SCREENS) {
      const { milliseconds, kilobytes } = await visit(chromium, cookies, `${oven.url}/${path}`);
      report(`/${path} interactive`, milliseconds, MAX_MS, "ms");
      report(`/${path} JavaScript`, kilobytes, path === "" ? MAX_FIRST_SCRIPT_KB : MAX_SCRIPT_KB, "kB gzip");
    }
  } finally {
    await chromium.close();
    await oven.kill("SIGKILL");
  }
  return missed;
}

if (process.argv[1] === import.meta.filename) {
  process.stdout.write(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
  process.exitCode = (await measure()) === 0 ? 0 : 1;
}
