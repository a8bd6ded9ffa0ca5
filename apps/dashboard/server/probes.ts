import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readiness } from "@oven/contract/system";

/**
 * Answers `/health` (200 while the process lives) and `/ready` (200 while it can serve, else 503), without a key and for GET and
 * HEAD only. They ask nothing of the pages or the API, so that a full queue of requests does not look like a dead process.
 * @returns whether the request was one of them
 */
export function answerProbe(
  request: IncomingMessage,
  response: ServerResponse,
  readiness: () => Promise<Readiness>,
): boolean {
  const path = request.url?.split("?")[0];
  if (path !== "/health" && path !== "/ready") return false;
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD", connection: "close" }).end();
    return true;
  }
  if (path === "/health") send(response, 200, { live: true });
  else
    readiness().then(
      (body) => send(response, body.ready ? 200 : 503, body),
      (error: unknown) => {
        console.error("finding out whether the server is ready failed:", error);
        send(response, 500, { ready: false });
      },
    );
  return true;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
