import { once } from "node:events";
import { createServer, request as forward, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface HostedPage {
  url: string;
  close(): void;
}

export interface HostOptions {
  /** What it serves by path: its content type and text. Other paths answer with an empty page. */
  files: Readonly<Record<string, readonly [type: string, text: string]>>;
  /** Requests whose path begins so go on to OVEN. */
  forwarded: string;
  oven: string;
  /** Added to what goes on. */
  headers?: OutgoingHttpHeaders;
}

/** The server of another site, with pages that talk to OVEN below their own origin. */
export async function hostPage({ files, forwarded, oven, headers: added = {} }: HostOptions): Promise<HostedPage> {
  const server = createServer((incoming, outgoing) => {
    const { url = "", method, headers } = incoming;
    if (!url.startsWith(forwarded)) {
      const [type, text] = files[url] ?? ["text/html", "<!doctype html><title>A page</title>"];
      outgoing.writeHead(200, { "content-type": type });
      outgoing.end(text);
      return;
    }
    const sent = forward(`${oven}${url}`, { method, headers: { ...headers, ...added } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.on("close", () => sent.destroy());
    sent.on("error", () => outgoing.destroy());
    incoming.pipe(sent);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
