import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface CallWatch {
  /** `http://127.0.0.1:…`, which passes everything on. */
  url: string;
  /** The revisions of the protocol that tools were called in, as the client itself says with each call. */
  revisions(): string[];
  /** Resolves when the next call of a tool has been passed on. */
  nextCall(): Promise<void>;
  stop(): Promise<void>;
}

const HEADER = "mcp-protocol-version";

/** Stands between a client and a server and reads which revision the client speaks: few clients have an API that says it. */
export async function watchCalls(serverUrl: string): Promise<CallWatch> {
  const seen = new Set<string>();
  const waiting: (() => void)[] = [];
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(incoming);
    const { method, url, headers } = incoming;
    const isCall = body.includes('"tools/call"');
    if (isCall) seen.add(String(headers[HEADER] ?? "no header (before 2025-06-18)"));
    // One connection for each request, as those of OVEN are.
    const onward = request(new URL(url ?? "/", serverUrl), { method: method ?? "GET", headers, agent: false });
    onward.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // An event stream has begun before its first event.
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    onward.end(body, () => {
      if (!isCall) return;
      for (const done of waiting.splice(0)) done();
    });
  };
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    revisions: () => [...seen],
    nextCall: () => new Promise((done) => void waiting.push(done)),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
