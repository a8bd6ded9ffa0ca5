import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { OvenError } from "@oven/contract";
import { limitBody } from "@oven/module-registry";
import { afterEach, describe, expect, it } from "vitest";
import type { DrainBounds } from "./drain-request.ts";
import { createHttpServer, type HttpServer } from "./http-server.ts";

const LIMIT = 8 * 1_048_576;
const open: HttpServer[] = [];
afterEach(async () => {
  for (const http of open.splice(0)) await http.close();
});

/** A server whose routes read up to the limit, or answer without reading anything. */
async function serve(drain?: DrainBounds): Promise<number> {
  const http = createHttpServer(
    async (request) => {
      if (request.url.endsWith("/unread")) return new Response("nothing was read", { status: 401 });
      try {
        const limited = await limitBody(request, LIMIT);
        return Response.json({ size: (await limited.arrayBuffer()).byteLength });
      } catch (error) {
        if (!(error instanceof OvenError)) throw error;
        return Response.json({ code: error.code, message: error.message }, { status: error.status });
      }
    },
    () => undefined,
    [],
    drain,
  );
  open.push(http);
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  return (http.server.address() as AddressInfo).port; // cast: it listens on TCP
}

const REFUSED = { code: "BODY_TOO_LARGE", message: `The body is larger than ${LIMIT} bytes` };

/** What arrives on a socket until it is closed. */
async function readAll(socket: ReturnType<typeof connect>): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe("a body over the limit of its route", () => {
  it.each<[string, () => string | ReadableStream]>([
    ["with its length", () => "x".repeat(9 * 1_048_576)],
    [
      "in chunks",
      () =>
        new ReadableStream({
          start(controller) {
            for (let count = 0; count < 9 * 16; count += 1) controller.enqueue(new Uint8Array(65_536));
            controller.close();
          },
        }),
    ],
  ])("is answered with the limit, to fetch: %s", async (_what, body) => {
    const port = await serve();
    for (let count = 0; count < 5; count += 1) {
      const init = { method: "POST", body: body(), duplex: "half" } as RequestInit; // cast: the types do not have `duplex`
      const answer = await fetch(`http://127.0.0.1:${port}/api/x`, init);
      expect([answer.status, await answer.json()]).toEqual([413, REFUSED]);
    }
  });

  it.each([true, false])("leaves the connection for the next request, length: %s", async (hasLength) => {
    const port = await serve();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (size: number) => {
      const headers = hasLength ? { "content-length": String(size) } : {};
      const asked = httpRequest({ port, agent, method: "POST", path: "/api/x", headers });
      for (let sent = 0; sent < size; sent += 1_048_576) asked.write(Buffer.alloc(1_048_576));
      asked.end();
      const [answer] = await once(asked, "response");
      const { localPort } = answer.socket;
      let text = "";
      for await (const chunk of answer) text += String(chunk);
      return [answer.statusCode, JSON.parse(text), localPort];
    };
    const [status, body, first] = await ask(9 * 1_048_576);
    expect([status, body]).toEqual([413, REFUSED]);
    expect(await ask(1_048_576)).toEqual([200, { size: 1_048_576 }, first]);
    agent.destroy();
  });

  it.each([
    ["/api/x", "413 Payload Too Large"],
    ["/api/unread", "401 Unauthorized"],
  ])("is answered to a client that reads once it has sent everything, piece by piece: %s", async (path, status) => {
    const port = await serve();
    const socket = connect(port, "127.0.0.1");
    socket.pause();
    const piece = Buffer.alloc(1_048_576);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${9 * piece.byteLength}\r\n\r\n`,
    );
    // Longer in all than the 500 ms after which the HTTP adapter closes what still sends.
    for (let count = 0; count < 9; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(socket.destroyed).toBe(false);
      socket.write(piece);
    }
    expect((await readAll(socket)).split("\r\n")[0]).toBe(`HTTP/1.1 ${status}`);
  });

  it.each<[string, DrainBounds]>([
    ["sends more than is read", { bytes: 65_536, ms: 60_000 }],
    ["stops in the middle", { bytes: 1e9, ms: 50 }],
  ])("is answered and closed where the client %s", async (_what, bounds) => {
    const port = await serve(bounds);
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${100 * LIMIT}\r\n\r\n`);
    socket.write(Buffer.alloc(131_072));
    const text = await readAll(socket);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text.toLowerCase()).toContain("connection: close");
    expect(text).toContain(REFUSED.message);
  });
});
