import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

export interface Recorded {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
  body: any;
}

interface Answer {
  status?: number;
  json?: unknown;
  bytes?: Uint8Array;
}

export interface Recorder {
  /** `http://127.0.0.1:12345`. */
  origin: string;
  host: string;
  requests: Recorded[];
  close(): Promise<void>;
}

/** Any HTTP API on loopback: what was sent is kept, what is answered is the test's. */
export async function startRecorder(answer: (request: Recorded, origin: string) => Answer): Promise<Recorder> {
  const requests: Recorded[] = [];
  const server = createServer(async (incoming, response) => {
    const sent = await text(incoming);
    const request: Recorded = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: sent === "" ? undefined : JSON.parse(sent),
    };
    requests.push(request);
    const { status = 200, json, bytes } = answer(request, origin);
    response.writeHead(status, { "content-type": bytes === undefined ? "application/json" : "image/png" });
    response.end(bytes ?? JSON.stringify(json ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const host = `127.0.0.1:${address.port}`;
  const origin = `http://${host}`;
  return {
    origin,
    host,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
