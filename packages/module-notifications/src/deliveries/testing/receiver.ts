import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedPost {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface Receiver {
  /** `http://127.0.0.1:port`. */
  origin: string;
  host: string;
  posts: ReceivedPost[];
  /** Statuses of the next answers; 200 after that. */
  answers: number[];
  stop(): Promise<void>;
}

/** Somebody's webhook. */
export async function startReceiver(): Promise<Receiver> {
  const posts: ReceivedPost[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      posts.push({ path: request.url ?? "", headers: request.headers, body });
      response.writeHead(answers.shift() ?? 200, { location: "http://127.0.0.1:1/elsewhere" }).end("thanks");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  const host = `127.0.0.1:${port}`;
  return {
    origin: `http://${host}`,
    host,
    posts,
    answers,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
