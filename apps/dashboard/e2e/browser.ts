import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium, type LaunchOptions, type Page } from "playwright-core";

/** Screenshots of a test run, to be looked at. */
const SHOTS = resolve(import.meta.dirname, "../../../test-results/screenshots");

export interface TestBrowser {
  browser: Browser;
  /** A new person: own cookies, and a list of everything the page complained about. */
  newPage(options?: { width?: number; height?: number; dark?: boolean }): Promise<{ page: Page; complaints: string[] }>;
  close(): Promise<void>;
}

const LAUNCHES = 3;

/** Chromium sometimes ends by a segmentation fault while it starts on a busy machine. Nothing of OVEN is involved yet. */
async function launch(options: LaunchOptions): Promise<Browser> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await chromium.launch(options);
    } catch (error) {
      if (attempt === LAUNCHES || !String(error).includes("SIGSEGV")) throw error;
      console.warn("Chromium crashed while it started; once more");
    }
  }
}

/** Headless Chromium from npm, which the set-up has unpacked, or the one at CHROMIUM_PATH. */
export async function openBrowser(): Promise<TestBrowser> {
  // Nothing here needs WebGL; without it pages are painted by the processor directly, not by one that plays a graphics card.
  sparticuz.setGraphicsMode = false;
  // The first two are made for hosts with one process; with them, closing one window closes them all. The third switches
  // CORS and the `Origin` header off, so the server's checks of origins would never be asked.
  const unwanted = ["--single-process", "--no-zygote", "--disable-web-security"];
  const args = sparticuz.args.filter((arg) => !unwanted.includes(arg));
  const browser = await launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await sparticuz.executablePath()),
    args: [...args, "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"],
    headless: true,
  });
  return {
    browser,
    newPage: async ({ width = 1280, height = 800, dark = false } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? "dark" : "light",
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(`page error: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(`console: ${message.text()}`);
      });
      return { page, complaints };
    },
    close: () => browser.close(),
  };
}

/** Saves what the page shows as `<name>.png`. */
export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
