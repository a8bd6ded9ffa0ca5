import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  path: string;
  headers: Headers;
  body: string;
}

export interface Receiver {
  origin: string;
  received: Received[];
  /** What it answers next; 204 at first. */
  answer: (request: Received, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** Another service on this machine, that takes what is posted. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // cast: no encoding was set
    const one = {
      path: request.url ?? "",
      headers: new Headers(request.headers as Record<string, string>), // cast: none of those sent here comes twice
      body: Buffer.concat(chunks).toString(),
    };
    receiver.received.push(one);
    receiver.answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // cast: it listens on TCP
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${port}`,
    received: [],
    answer: (_request, response) => void response.writeHead(204).end(),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}
