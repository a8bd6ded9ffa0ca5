import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { WorkerHealth } from "@oven/contract/system";

export interface HealthServer {
  port: number;
  close(): Promise<void>;
}

export interface HealthSources {
  health(): Promise<WorkerHealth>;
  metrics(): Promise<{ contentType: string; body: string }>;
}

/**
 * `/health/live`: 200 while the process answers. `/health/ready` and `/health`: 200 while it takes runs, else 503. Each with
 * the same body. `/metrics`: what this process does, for Prometheus. To everybody who reaches the port.
 */
export async function startHealthServer(
  { host, port }: { host: string; port: number },
  { health, metrics }: HealthSources,
): Promise<HealthServer> {
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    if (path === "/metrics") {
      const { contentType, body } = await metrics();
      response.writeHead(200, { "content-type": contentType }).end(body);
      return;
    }
    if (!["/health", "/health/live", "/health/ready"].includes(path)) {
      response.writeHead(404).end();
      return;
    }
    const body = await health();
    const status = body.ready || path === "/health/live" ? 200 : 503;
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
    response.end(JSON.stringify(body));
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
