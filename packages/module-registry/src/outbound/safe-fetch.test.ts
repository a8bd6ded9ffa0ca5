import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { mayHaveArrived } from "./may-have-arrived.ts";
import { createSafeFetch, type OutboundInit, type OutboundService } from "./safe-fetch.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(handler: Handler): Promise<{ server: Server; origin: string }> {
  const server = createServer(handler);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }; // cast: it listens on TCP
}

it("gives the addresses of other servers by the same rules, and of unencrypted ones only where they are allowed", async () => {
  const lookup = async (host: string) => [{ address: host === "inside.example" ? "10.0.0.1" : "8.8.8.8", family: 4 }];
  const allow = ["https://inside.example:1993", "http://mail.example:143"];
  const { addressesOf } = createSafeFetch({ allow, lookup });
  const refused = expect.objectContaining({ code: "OUTBOUND_REFUSED" });
  expect(await addressesOf("mail.example", 993, true)).toEqual([{ address: "8.8.8.8", family: 4 }]);
  await expect(addressesOf("inside.example", 993, true)).rejects.toEqual(refused);
  expect(await addressesOf("inside.example", 1993, true)).toHaveLength(1);
  expect(await addressesOf("mail.example", 143, false)).toHaveLength(1);
  await expect(addressesOf("other.example", 143, false)).rejects.toEqual(refused);
  await expect(addressesOf("::1", 993, true)).rejects.toEqual(refused);
  await expect(addressesOf("user@mail.example", 993, true)).rejects.toEqual(refused);
});

describe("outbound calls", () => {
  const servers: Server[] = [];
  let outbound: OutboundService;
  let here = "";
  let there = "";

  /** Answers what it got; `/redirect?status=&to=` sends elsewhere. */
  const echo: Handler = async (request, response) => {
    const url = new URL(request.url ?? "", "http://echo");
    if (url.pathname === "/redirect") {
      response.writeHead(Number(url.searchParams.get("status")), { location: url.searchParams.get("to") ?? "" }).end();
      return;
    }
    if (url.pathname === "/large") response.end(Buffer.alloc(5_000, "a"));
    else if (url.pathname === "/bomb")
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(5_000_000)));
    else if (url.pathname === "/gzip") response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
    else if (url.pathname === "/hang") response.writeHead(200).write("begin");
    else if (url.pathname === "/silent") return;
    else if (url.pathname === "/empty") response.writeHead(204).end();
    else {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, headers } = request;
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      response.end(JSON.stringify({ method, path: url.pathname, headers, body: Buffer.concat(chunks).toString() }));
    }
  };
  beforeAll(async () => {
    const [one, other] = [await listen(echo), await listen(echo)];
    servers.push(one.server, other.server);
    here = one.origin;
    there = other.origin;
    outbound = createSafeFetch({ allow: [here, there] });
  });
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  it("a body that is given up, read in part or aborted later throws nowhere, and its connection is closed", async () => {
    const open = () =>
      Promise.all(servers.map((one) => new Promise<number>((done) => one.getConnections((_, n) => done(n)))));
    for (const path of ["/large", "/hang"]) {
      const gone = new AbortController();
      const unread = await outbound.fetch(`${here}${path}`, { signal: gone.signal });
      await unread.body?.cancel();
      const begun = await outbound.fetch(`${here}${path}`, { signal: gone.signal });
      const reader = begun.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await outbound.fetch(`${here}${path}`, { signal: gone.signal });
      gone.abort();
    }
    await expect.poll(async () => (await open()).reduce((sum, count) => sum + count)).toBe(0);
  });

  interface Echo {
    method: string;
    path: string;
    body: string;
    headers: Record<string, string>;
  }
  const json = async (...call: Parameters<OutboundService["fetch"]>) =>
    (await (await outbound.fetch(...call)).json()) as Echo; // cast: what `echo` answers
  const redirect = (status: number, to: string) => `${here}/redirect?status=${status}&to=${encodeURIComponent(to)}`;

  it("send method, headers and body, and hand the answer on", async () => {
    const response = await outbound.fetch(`${here}/path`, {
      method: "post",
      headers: { "X-Own": "1", "content-type": "text/plain" },
      body: "héllo",
    });
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.json()).toMatchObject({
      method: "POST",
      path: "/path",
      body: "héllo",
      headers: { "x-own": "1", "content-type": "text/plain", "content-length": "6", host: new URL(here).host },
    });
    expect((await outbound.fetch(`${here}/empty`)).status).toBe(204);
    expect(await (await outbound.fetch(`${here}/path`, { method: "HEAD" })).text()).toBe("");
    expect(await (await outbound.fetch(`${here}/gzip`)).text()).toBe("packed");
  });

  it("take credentials along within an origin, and leave all but harmless headers behind across origins", async () => {
    const headers = {
      authorization: "Bearer secret",
      cookie: "session=secret",
      "x-api-key": "secret",
      "idempotency-key": "k",
      "accept-language": "de",
    };
    const same = await json(redirect(307, `${here}/end`), { headers });
    expect(same.headers).toMatchObject(headers);
    const across = await json(redirect(307, `${there}/end`), { headers });
    expect(across.path).toBe("/end");
    expect(JSON.stringify(across)).not.toContain("secret");
    expect(across.headers).toMatchObject({ "accept-language": "de", host: new URL(there).host });
    // Gone is gone: the way back does not bring them again.
    const back = `${there}/redirect?status=302&to=${encodeURIComponent(`${here}/end`)}`;
    expect(JSON.stringify(await json(redirect(302, back), { headers }))).not.toContain("secret");
  });

  it.each([
    [301, "GET", ""],
    [302, "GET", ""],
    [303, "GET", ""],
    [307, "POST", "text"],
    [308, "POST", "text"],
  ])("after %i a POST goes on as %s", async (status, method, body) => {
    const post = { method: "POST", body: "text", headers: { "content-type": "text/plain" } };
    const answer = await json(redirect(status, "/end"), post);
    expect(answer).toMatchObject({ method, body, path: "/end" });
    expect(answer.headers["content-type"]).toBe(body === "" ? undefined : "text/plain");
  });

  it("end after five redirects, or with the first when none is wanted", async () => {
    const { server, origin } = await listen((_request, response) => response.writeHead(302, { location: "/" }).end());
    servers.push(server);
    const loop = createSafeFetch({ allow: [origin] });
    await expect(loop.fetch(origin)).rejects.toMatchObject({ code: "OUTBOUND_REFUSED" });
    expect((await loop.fetch(origin, { maxRedirects: 0 })).status).toBe(302);
  });

  it("refuse answers over the limit, packed ones by their unpacked size", async () => {
    const text = async (path: string, maxBytes: number) => (await outbound.fetch(here + path, { maxBytes })).text();
    expect(await text("/large", 5_000)).toHaveLength(5_000);
    await expect(text("/large", 4_999)).rejects.toMatchObject({ code: "OUTBOUND_TOO_LARGE" });
    await expect(text("/bomb", 100_000)).rejects.toMatchObject({ code: "OUTBOUND_TOO_LARGE" });
  });

  it("end at their time-out, before the answer, within it and in the look-up", async () => {
    const late = { code: "OUTBOUND_TIMEOUT", retryable: true };
    await expect(outbound.fetch(`${here}/silent`, { timeoutMs: 50 })).rejects.toMatchObject(late);
    const response = await outbound.fetch(`${here}/hang`, { timeoutMs: 100 });
    await expect(response.text()).rejects.toMatchObject(late);
    const deaf = createSafeFetch({ allow: [], lookup: () => new Promise(() => undefined) });
    await expect(deaf.fetch("http://slow.example", { timeoutMs: 20 })).rejects.toMatchObject(late);
  });

  it("stop when their caller does", async () => {
    const caller = new AbortController();
    const { body } = await outbound.fetch(`${here}/hang`, { signal: caller.signal });
    const reader = body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("begin");
    caller.abort(new Error("cancelled"));
    await expect(reader?.read()).rejects.toThrow("cancelled");
    await expect(outbound.fetch(here, { signal: caller.signal })).rejects.toThrow("cancelled");
  });

  it("say that nobody is there, as something to try again", async () => {
    const { server, origin } = await listen(() => undefined);
    server.close();
    await once(server, "close");
    const gone = createSafeFetch({ allow: [origin] }).fetch(origin);
    await expect(gone).rejects.toMatchObject({ code: "OUTBOUND_UNREACHABLE", retryable: true });
  });

  describe("tell whether what was sent may have arrived", () => {
    /** A server below HTTP: what it does with a connection. */
    const raw = async (serve: (socket: Socket) => void): Promise<string> => {
      const server = createTcpServer((socket) => {
        socket.on("error", () => undefined);
        serve(socket);
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      onTestFinished(() => void server.close());
      return `127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on TCP
    };
    const failureOf = async (url: string, init: OutboundInit = {}): Promise<unknown> => {
      const { fetch } = createSafeFetch({ allow: [new URL(url).origin, here, there], lookup: async () => [] });
      try {
        const response = await fetch(url, init);
        return await response.text().then(() => "answered");
      } catch (error) {
        return error;
      }
    };

    it("not where no connection came about", async () => {
      const { server, origin } = await listen(() => undefined);
      server.close();
      await once(server, "close");
      expect(mayHaveArrived(await failureOf(origin))).toBe(false);
      expect(mayHaveArrived(await failureOf("http://nowhere.example"))).toBe(false);
      expect(mayHaveArrived(await failureOf("http://192.168.0.1"))).toBe(false);
      // What answers is no TLS: nothing but its greeting was sent.
      const plain = await raw((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
      expect(mayHaveArrived(await failureOf(`https://${plain}`))).toBe(false);
      const deaf = await raw(() => undefined);
      const late = await failureOf(`https://${deaf}`, { timeoutMs: 100 });
      expect(late).toMatchObject({ code: "OUTBOUND_TIMEOUT" });
      expect(mayHaveArrived(late)).toBe(false);
    });

    it("where the connection stood, however it ended", async () => {
      const cut = await raw((socket) => socket.once("data", () => socket.resetAndDestroy()));
      expect(mayHaveArrived(await failureOf(`http://${cut}`))).toBe(true);
      const garbled = await raw((socket) => socket.once("data", () => socket.end("nothing of HTTP\r\n\r\n")));
      const unread = await failureOf(`http://${garbled}`);
      expect(unread).toMatchObject({ code: "OUTBOUND_UNREACHABLE" });
      expect(mayHaveArrived(unread)).toBe(true);
      expect(mayHaveArrived(await failureOf(`${here}/silent`, { timeoutMs: 50 }))).toBe(true);
      expect(mayHaveArrived(await failureOf(`${here}/hang`, { timeoutMs: 100 }))).toBe(true);
      expect(mayHaveArrived(new Error("wrapped", { cause: unread }))).toBe(true);
    });

    it("where an address has answered that led on to one that cannot be reached", async () => {
      const to = encodeURIComponent("http://nowhere.example/");
      const failure = await failureOf(`${here}/redirect?status=303&to=${to}`, { method: "POST", body: "once" });
      expect(failure).toMatchObject({ code: "OUTBOUND_UNREACHABLE" });
      expect(mayHaveArrived(failure)).toBe(true);
    });
  });

  it.each([
    ["host", "internal"],
    ["Host", "internal"],
    ["Connection", "upgrade"],
    ["Transfer-Encoding", "chunked"],
    ["Content-Length", "1"],
    ["Proxy-Authorization", "x"],
    ["x y", "1"],
    ["x", "1\r\nhost: internal"],
  ])("refuse the header %s: %s", async (name, value) => {
    await expect(outbound.fetch(here, { headers: { [name]: value } })).rejects.toMatchObject({
      code: "OUTBOUND_REFUSED",
    });
  });

  it.each(["CONNECT", "TRACE", "GET / HTTP/1.1"])("refuse the method %s", async (method) => {
    await expect(outbound.fetch(here, { method })).rejects.toMatchObject({ code: "OUTBOUND_REFUSED" });
  });

  it("ends quietly when its reader gives up while the answer is on its way", async () => {
    // Red as an uncaught error, which would end the process.
    for (let round = 0; round < 20; round++) {
      const response = await outbound.fetch(`${here}/${round % 2 === 0 ? "large" : "gzip"}`);
      await response.body?.cancel();
    }
    expect(await (await outbound.fetch(`${here}/gzip`)).text()).toBe("packed");
  });
});

describe("an answer that arrives bit by bit", () => {
  let server: Server;
  let origin = "";
  let answering: ServerResponse;
  let outbound: OutboundService;
  const headers = { "content-encoding": "identity" };

  beforeAll(async () => {
    ({ server, origin } = await listen((_request, response) => {
      answering = response;
      response.writeHead(200, headers).write("a");
    }));
    outbound = createSafeFetch({ allow: [origin] });
  });
  afterAll(() => {
    vi.useRealTimers();
    server.closeAllConnections();
    server.close();
  });

  /** Only the limits see the time that passes here; the sockets do not. */
  async function open(limits: { timeoutMs: number; maxTotalMs?: number }) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { body } = await outbound.fetch(origin, limits);
    if (body === null) throw new Error("no body");
    const reader = body.getReader();
    const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
    return {
      next,
      async piece(text: string) {
        answering.write(text);
        return next();
      },
    };
  }

  it("is not cut while something arrives, and is after a silence", async () => {
    const { next, piece } = await open({ timeoutMs: 1_000, maxTotalMs: 60_000 });
    expect(await next()).toBe("a");
    for (const text of ["b", "c", "d"]) {
      vi.advanceTimersByTime(900);
      expect(await piece(text)).toBe(text);
    }
    vi.advanceTimersByTime(1_000);
    await expect(next()).rejects.toMatchObject({
      code: "OUTBOUND_TIMEOUT",
      message: "Nothing arrived for 1000 ms (timeoutMs)",
    });
  });

  it("is cut when the whole takes too long", async () => {
    const { next, piece } = await open({ timeoutMs: 1_000, maxTotalMs: 2_000 });
    expect(await next()).toBe("a");
    for (const text of ["b", "c"]) {
      vi.advanceTimersByTime(900);
      expect(await piece(text)).toBe(text);
    }
    vi.advanceTimersByTime(200);
    await expect(next()).rejects.toMatchObject({ message: "No complete answer within 2000 ms (maxTotalMs)" });
  });

  it("is bounded as a whole without a limit of its own for that", async () => {
    const { next, piece } = await open({ timeoutMs: 1_000 });
    expect(await next()).toBe("a");
    vi.advanceTimersByTime(900);
    expect(await piece("b")).toBe("b");
    vi.advanceTimersByTime(100);
    await expect(next()).rejects.toMatchObject({ message: "No complete answer within 1000 ms" });
  });

  it("leaves no timer behind", async () => {
    const { next } = await open({ timeoutMs: 1_000, maxTotalMs: 60_000 });
    expect(await next()).toBe("a");
    expect(vi.getTimerCount()).toBe(2);
    answering.end();
    expect(await next()).toBe("");
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  });
});
