import { type AddressInfo, createServer, type Socket } from "node:net";

/** Takes connections and says nothing. */
export async function startSilentServer(): Promise<{ port: number; met: Promise<void>; close(): void }> {
  const sockets: Socket[] = [];
  let onMet: () => void = () => undefined;
  const met = new Promise<void>((resolve) => {
    onMet = resolve;
  });
  const server = createServer((socket) => {
    sockets.push(socket);
    onMet();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port, // cast: it listens on TCP
    met,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
