import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const DEBIAN = "/usr/bin/chromium";

/**
 * Writes a file of settings for `@playwright/mcp`: the Chromium of this machine (`CHROMIUM_PATH`, Debian's), or the one that the browser
 * tests have from npm.
 * @returns its path
 */
export async function writeBrowserSettings(directory: string): Promise<string> {
  const { executablePath, args } = await findBrowser();
  const file = join(directory, "playwright-mcp.json");
  const launchOptions = { executablePath, args, headless: true, chromiumSandbox: false };
  writeFileSync(file, JSON.stringify({ browser: { browserName: "chromium", isolated: true, launchOptions } }));
  return file;
}

async function findBrowser(): Promise<{ executablePath: string; args: string[] }> {
  const own = process.env.CHROMIUM_PATH ?? (existsSync(DEBIAN) ? DEBIAN : undefined);
  if (own !== undefined) return { executablePath: own, args: [] };
  const { resolve } = createRequire(join(import.meta.dirname, "../../../apps/dashboard/package.json"));
  const found = (await import(pathToFileURL(resolve("@sparticuz/chromium")).href)) as {
    default: { args: string[]; setGraphicsMode: boolean; executablePath(): Promise<string> };
  }; // cast: what the package declares
  found.default.setGraphicsMode = false;
  // Made for hosts with one process; with it, closing one window closes them all.
  const args = found.default.args.filter((arg) => arg !== "--single-process" && arg !== "--no-zygote");
  return { executablePath: await found.default.executablePath(), args: [...args, "--disable-gpu"] };
}
