import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readiness, WorkerHealth } from "@oven/contract/system";

export interface HealthServer {
  port: number;
  close(): Promise<void>;
}

export interface HealthSources {
  health(): Promise<WorkerHealth>;
  readiness(): Promise<Readiness>;
  metrics(): Promise<{ contentType: string; body: string }>;
}

/**
 * `/health` and `/health/live`: 200 while the process answers. `/health/ready`: 200 while it takes runs, else 503. Each with
 * the same body. `/ready`: the same as the server's. `/metrics`: what this process does, for Prometheus. To all who reach the port.
 */
export async function startHealthServer(
  { host, port }: { host: string; port: number },
  { health, readiness, metrics }: HealthSources,
): Promise<HealthServer> {
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    if (path === "/metrics") {
      const { contentType, body } = await metrics();
      response.writeHead(200, { "content-type": contentType }).end(body);
      return;
    }
    if (path === "/ready") {
      const body = await readiness();
      send(response, body.ready ? 200 : 503, body);
      return;
    }
    if (!["/health", "/health/live", "/health/ready"].includes(path)) {
      response.writeHead(404).end();
      return;
    }
    const body = await health();
    send(response, body.ready || path !== "/health/ready" ? 200 : 503, body);
  };
  const server = createServer((request, response) => {
    answer(request.url?.split("?")[0] ?? "", response).catch((error: unknown) => {
      console.error("answering the health endpoint failed:", error);
      response.writeHead(500).end();
    });
  });
  server.listen(port, host);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo; // cast: it listens on TCP
  return {
    port: bound,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
