import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpServer, type HttpServer } from "./http-server.ts";

it("an idle connection is open longer than a reverse proxy keeps it", async () => {
  const http = createHttpServer(
    async () => new Response("an answer"),
    () => undefined,
  );
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  const { port } = http.server.address() as AddressInfo; // cast: it listens on TCP
  const { headers } = await fetch(`http://127.0.0.1:${port}/api/health`);
  const [, seconds] = /timeout=(\d+)/.exec(headers.get("keep-alive") ?? "") ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
  await http.close();
});

describe("what is refused before it is routed", () => {
  const reached: string[] = [];
  let http: HttpServer;
  let port: number;
  beforeAll(async () => {
    http = createHttpServer(
      async (request) => {
        reached.push(`api ${new URL(request.url).pathname}`);
        return new Response("an answer");
      },
      () => (request, response) => {
        reached.push(`page ${request.url}`);
        response.writeHead(200).end("a page");
      },
    );
    http.server.listen(0, "127.0.0.1");
    await once(http.server, "listening");
    port = (http.server.address() as AddressInfo).port; // cast: it listens on TCP
  });
  afterAll(() => http.close());

  /** The first line of the answer to what is written as it is. */
  async function send(head: string, ...headers: string[]): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    socket.end([`${head} HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Connection: close", ...headers, "", ""].join("\r\n"));
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    return text.split("\r\n")[0] ?? "";
  }

  it.each([
    "GET http://elsewhere.example/",
    "GET http://elsewhere.example/api/health",
    "POST https://127.0.0.1/api/agent-workflows",
    "GET //elsewhere.example".replace("//", "elsewhere:80//"),
    "GET *",
  ])("a request target that is no path: %s", async (head) => {
    reached.length = 0;
    expect(await send(head)).toBe("HTTP/1.1 400 Bad Request");
    expect(reached).toEqual([]);
  });

  it("and everything else is not", async () => {
    reached.length = 0;
    expect(await send("GET /reviews?x=http://a.example/")).toBe("HTTP/1.1 200 OK");
    expect(await send("GET /api/health")).toBe("HTTP/1.1 200 OK");
    expect(reached).toEqual(["page /reviews?x=http://a.example/", "api /api/health"]);
  });

  it("what clients of other protocols look for beside /api is found there", async () => {
    reached.length = 0;
    await send("GET /.well-known/oauth-protected-resource");
    await send("GET /v1/models");
    await send("POST /v1/chat/completions?a=b");
    await send("GET /v10/models");
    expect(reached).toEqual([
      "api /api/.well-known/oauth-protected-resource",
      "api /api/v1/models",
      "api /api/v1/chat/completions",
      "page /v10/models",
    ]);
  });
});
