import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Readiness } from "@oven/contract/system";
import { ClientAddresses } from "./client-addresses.ts";
import { type DrainBounds, drainRequest } from "./drain-request.ts";
import { OpenRequests } from "./open-requests.ts";
import { answerProbe } from "./probes.ts";

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export interface HttpServer {
  server: Server;
  /** Ends open streams, lets running requests finish, then cuts what is left. */
  close(): Promise<void>;
}

const GRACE_MS = 1_000;
/**
 * Longer than reverse proxies keep an idle connection (60 s), so that the proxy closes it: a request sent over a connection
 * that this side closes at that moment is lost, and answered with 502.
 */
const KEEP_ALIVE_MS = 65_000;
/**
 * What is looked for beside `/api`: by OAuth's clients (RFC 8414, RFC 9728), by those who verify receipts, and by clients of OpenAI's
 * API that are given the address of this server.
 */
const BESIDE_API = ["/.well-known/oauth-", "/.well-known/oven-receipts.json", "/v1/"];

/**
 * `/api` and what is looked for beside it go straight to the runtime, everything else to the pages.
 *
 * @param trustedProxies addresses and ranges of the reverse proxies whose X-Forwarded-For is believed
 * @param drain how much is read of a request that is answered early
 * @param readiness what `/ready` answers; absent: `/health` and `/ready` are pages as any other
 */
export function createHttpServer(
  api: (request: Request) => Promise<Response>,
  pages: () => NodeHandler | undefined,
  trustedProxies: readonly string[] = [],
  drain?: DrainBounds,
  readiness?: () => Promise<Readiness>,
): HttpServer {
  const open = new OpenRequests();
  const addresses = new ClientAddresses(trustedProxies);
  // cast: it speaks HTTP/1.1
  const apiListener = getRequestListener(async (request, { incoming, outgoing }) => {
    const response = await api(open.watch(request, outgoing as ServerResponse));
    if (!(await drainRequest(incoming as IncomingMessage, drain))) (outgoing as ServerResponse).shouldKeepAlive = false;
    return response;
  });
  const server = createServer((request, response) => {
    const refused = refusalOf(request);
    if (refused !== undefined) {
      // What its body holds is not read: the connection cannot serve another request.
      response.writeHead(refused.status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
      response.end(`${refused.why}\n`);
      return;
    }
    if (readiness !== undefined && answerProbe(request, response, readiness)) return;
    nameCaller(request, addresses);
    if (isBesideApi(request.url)) request.url = `/api${request.url}`;
    if (isApi(request.url)) {
      void apiListener(request, response);
      return;
    }
    const handler = pages();
    if (handler === undefined) response.writeHead(503, { "retry-after": "1" }).end("starting");
    else void handler(request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const upgraded = new Set<Duplex>();
  server.on("upgrade", (_request, socket) => {
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
  });
  return { server, close: () => closeServer(server, open, upgraded) };
}

/** A target with a host of its own (`GET http://elsewhere/ HTTP/1.1`) is for proxies, which this is none of. */
function refusalOf({ url = "", method }: IncomingMessage): { status: number; why: string } | undefined {
  if (!url.startsWith("/") && !(url === "*" && method === "OPTIONS"))
    return { status: 400, why: "The request target must be a path." };
  return undefined;
}

/**
 * Only the socket says who calls: sign-in is limited per address. The raw headers too, for a request that is copied takes its
 * headers from there.
 */
function nameCaller(request: IncomingMessage, addresses: ClientAddresses): void {
  const address = addresses.find(request.socket.remoteAddress ?? "", request.headers);
  const { rawHeaders } = request;
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (rawHeaders[index]?.toLowerCase() === "x-forwarded-for") rawHeaders.splice(index, 2);
  }
  rawHeaders.push("X-Forwarded-For", address);
  request.headers["x-forwarded-for"] = address;
}

function isBesideApi(url = ""): boolean {
  return BESIDE_API.some((start) => url.startsWith(start));
}

function isApi(url: string | undefined): boolean {
  return url === "/api" || url?.startsWith("/api/") === true || url?.startsWith("/api?") === true;
}

async function closeServer(server: Server, open: OpenRequests, upgraded: ReadonlySet<Duplex>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  open.endAll();
  for (const socket of upgraded) socket.destroy();
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
