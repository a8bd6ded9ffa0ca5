import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

/** Serves an OVEN over HTTP on a free port of this machine, for commands that take `--url`. */
export async function serve(
  handle: (request: Request) => Promise<Response>,
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer(getRequestListener(handle));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on TCP
  return {
    port,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
