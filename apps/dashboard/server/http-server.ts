import type { EventEmitter } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export interface HttpServer {
  server: Server;
  /** Ends open streams, lets running requests finish, then cuts what is left. */
  close(): Promise<void>;
}

const GRACE_MS = 1_000;
/** What OAuth's clients look for beside `/api` (RFC 8414, RFC 9728). */
const OAUTH_METADATA = "/.well-known/oauth-";

/** `/api` and the metadata of OAuth go straight to the runtime, everything else to Next. */
export function createHttpServer(
  api: (request: Request) => Promise<Response>,
  pages: () => NodeHandler | undefined,
): HttpServer {
  const open: OpenRequests = { controllers: new Set(), isStopping: false };
  const apiListener = getRequestListener((request, { outgoing }) => api(endWhen(request, outgoing, open)));
  const server = createServer((request, response) => {
    nameCaller(request);
    if (request.url?.startsWith(OAUTH_METADATA) === true) request.url = `/api${request.url}`;
    if (isApi(request.url)) {
      void apiListener(request, response);
      return;
    }
    const handler = pages();
    if (handler === undefined) response.writeHead(503, { "retry-after": "1" }).end("starting");
    else void handler(request, response);
  });
  const upgraded = new Set<Duplex>();
  server.on("upgrade", (_request, socket) => {
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
  });
  return { server, close: () => closeServer(server, open, upgraded) };
}

/**
 * Only the socket says who calls: sign-in is limited per address. The raw headers too, for a request that is copied takes its
 * headers from there.
 */
function nameCaller(request: IncomingMessage): void {
  const address = request.socket.remoteAddress ?? "";
  const { rawHeaders } = request;
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (rawHeaders[index]?.toLowerCase() === "x-forwarded-for") rawHeaders.splice(index, 2);
  }
  rawHeaders.push("X-Forwarded-For", address);
  request.headers["x-forwarded-for"] = address;
}

function isApi(url: string | undefined): boolean {
  return url === "/api" || url?.startsWith("/api/") === true || url?.startsWith("/api?") === true;
}

/** What ends when the server stops: of each request that is being answered, and whose signal somebody has. */
interface OpenRequests {
  controllers: Set<AbortController>;
  isStopping: boolean;
}

/** A request whose signal also fires when the server stops, so that open streams end by themselves. */
function endWhen(request: Request, response: EventEmitter, open: OpenRequests): Request {
  let ending: AbortController | undefined;
  const signal = (): AbortSignal => {
    if (ending !== undefined) return ending.signal;
    const controller = new AbortController();
    ending = controller;
    const { signal: gone } = request;
    if (gone.aborted || open.isStopping) controller.abort(gone.reason);
    else gone.addEventListener("abort", () => controller.abort(gone.reason), { once: true });
    open.controllers.add(controller);
    response.once("close", () => open.controllers.delete(controller));
    return controller.signal;
  };
  return new Proxy(request, {
    get(target, key) {
      if (key === "signal") return signal();
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function closeServer(server: Server, open: OpenRequests, upgraded: ReadonlySet<Duplex>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  open.isStopping = true;
  for (const controller of open.controllers) controller.abort();
  for (const socket of upgraded) socket.destroy();
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
