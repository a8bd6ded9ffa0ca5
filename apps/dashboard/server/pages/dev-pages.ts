import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import { join, resolve } from "node:path";
import type { NodeHandler } from "../http-server.ts";
import { NONCE_PLACEHOLDER } from "./page-policy.ts";
import { EMBED_HEADERS, pageHeaders } from "./pages.ts";

const DASHBOARD = resolve(import.meta.dirname, "../..");

/**
 * The pages from their sources, which a browser gets anew when they change.
 *
 * @param server carries the socket over which browsers learn of changes
 */
export async function createDevPages(server: Server): Promise<{ handler: NodeHandler; close(): Promise<void> }> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    configFile: join(DASHBOARD, "vite.config.ts"),
    server: { middlewareMode: true, hmr: { server } },
  });
  const answerScript: NodeHandler = async (_request, response) => {
    const { buildEmbedScript } = await import("../../embed-script.ts");
    response.writeHead(200, {
      "content-type": "text/javascript; charset=utf-8",
      ...EMBED_HEADERS,
      "cache-control": "no-store",
    });
    response.end(await buildEmbedScript());
  };
  const answer: NodeHandler = async ({ url = "/" }, response) => {
    const file = url.startsWith("/forms/") ? "form.html" : "index.html";
    const page = await vite.transformIndexHtml(`/${file}`, await readFile(join(DASHBOARD, file), "utf8"));
    const nonce = randomBytes(16).toString("base64");
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...pageHeaders(nonce, true) });
    response.end(page.replaceAll(NONCE_PLACEHOLDER, nonce));
  };
  const handler: NodeHandler = (request, response) => {
    if (request.url === "/embed/v1.js") return answerScript(request, response);
    return vite.middlewares(request, response, (error?: unknown) => {
      if (error === undefined) return void answer(request, response);
      response.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end(String(error));
    });
  };
  return { handler, close: () => vite.close() };
}
