import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OvenError } from "@oven/contract";
import { type Context, Hono } from "hono";
import { builtFiles } from "./built-files.ts";
import { NONCE_PLACEHOLDER, PAGE_HEADERS, pagePolicy } from "./page-policy.ts";

/** Where `vite build` puts the pages and their files. */
const BUILT_PAGES = join(import.meta.dirname, "../../dist");

/** Built files have a digest of their content in their names. */
const FOREVER = "public, max-age=31536000, immutable";

/** What a page with an embed loads; a page with a digest of it in `integrity` needs CORS. */
export const EMBED_HEADERS = {
  "cache-control": "public, max-age=300",
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-origin": "*",
} as const;

/**
 * The page of the app for every path, the page of forms, and the files of both. `/api` is not among them.
 *
 * @param folder of the built pages
 * @throws OvenError PAGES_NOT_BUILT when there are none in it
 */
export function createPages(folder: string = BUILT_PAGES): { fetch(request: Request): Response | Promise<Response> } {
  const files = builtFiles(folder);
  const pages = new Hono();
  pages.use(async (context, next) => {
    await next();
    context.header("x-content-type-options", "nosniff");
    if (context.res.ok && context.req.path.startsWith("/assets/")) context.header("cache-control", FOREVER);
  });
  pages.get("/assets/*", files, (context) => context.text("There is no such file.\n", 404));
  pages.get("/icon.svg", files);
  // Pages of other sites load it, whatever they demand of what they load.
  pages.use("/embed/*", async (context, next) => {
    await next();
    if (!context.res.ok) return;
    for (const [name, value] of Object.entries(EMBED_HEADERS)) context.header(name, value);
  });
  pages.get("/embed/*", files, (context) => context.text("There is no such file.\n", 404));
  pages.get("/forms/:token", answerWith(readPage(join(folder, "form.html"))));
  pages.get("*", answerWith(readPage(join(folder, "index.html"))));
  pages.all("*", (context) => context.text("Pages can only be read.\n", 405, { allow: "GET, HEAD" }));
  return pages;
}

/** The text of a page for each nonce. */
function readPage(path: string): (nonce: string) => string {
  if (!existsSync(path)) {
    const fix = "Build it with `pnpm start`, which also starts it, or with `vite build` in apps/dashboard.";
    throw new OvenError("PAGES_NOT_BUILT", `The dashboard is not built: there is no ${path}`, { status: 503, fix });
  }
  const parts = readFileSync(path, "utf8").split(NONCE_PLACEHOLDER);
  return (nonce) => parts.join(nonce);
}

function answerWith(page: (nonce: string) => string): (context: Context) => Response {
  return (context) => {
    const nonce = randomBytes(16).toString("base64");
    return context.html(page(nonce), 200, pageHeaders(nonce, false));
  };
}

/** A page is not stored: a nonce that stood in a stored page would be no secret. */
export function pageHeaders(nonce: string, dev: boolean): Record<string, string> {
  return { ...PAGE_HEADERS, "cache-control": "no-store", "content-security-policy": pagePolicy(nonce, dev) };
}
