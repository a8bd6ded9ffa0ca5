import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface OutsideServer {
  origin: string;
  url: string;
  /** Bodies in JSON that were posted, in order. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  requests: any[];
  /** HTTP headers of all requests. */
  headers: Headers[];
  close(): Promise<void>;
}

/** Anything that answers HTTP requests, on loopback. */
export async function startOutsideServer(
  answer: (request: Request, raw: ServerResponse) => Promise<Response | undefined>,
): Promise<OutsideServer> {
  const requests: OutsideServer["requests"] = [];
  const headers: Headers[] = [];
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await toRequest(incoming, outgoing);
    headers.push(request.headers);
    if (request.method === "POST" && request.headers.get("content-type")?.includes("json"))
      requests.push(JSON.parse(await request.clone().text()));
    const response = await answer(request, outgoing);
    if (response === undefined) return;
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body !== null)
      for await (const chunk of response.body) {
        if (!outgoing.writable) break;
        outgoing.write(chunk);
      }
    outgoing.end();
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on TCP
  return {
    origin,
    url: `${origin}/mcp`,
    requests,
    headers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  const { method = "GET", url = "/", headers } = incoming;
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    signal: gone.signal,
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  });
}
