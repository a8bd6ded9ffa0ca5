import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TcpGate {
  /** The database's URL through the gate. */
  url: string;
  /** Cuts every connection and lets none through, as if the server had gone. */
  shut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** A way to a PostgreSQL server that a test can close and open again. */
export async function openTcpGate(databaseUrl: string): Promise<TcpGate> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on TCP
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  const shut = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const open = async () => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  return { url: url.toString(), shut, open, close: shut };
}
