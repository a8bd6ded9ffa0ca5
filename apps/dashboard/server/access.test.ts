import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createHttpServer, type HttpServer } from "./http-server.ts";
import { insertKey } from "./testing/strangers.ts";

/** A request with exactly these header lines, and nothing tidied up by a client. */
async function send(port: number, path: string, lines: readonly string[]): Promise<{ status: number; text: string }> {
  const sent = request({ port, host: "127.0.0.1", path, headers: ["Host", `127.0.0.1:${port}`, ...lines] });
  sent.end();
  const [response] = await once(sent, "response");
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, text };
}

async function listen(http: HttpServer): Promise<number> {
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  return (http.server.address() as AddressInfo).port; // cast: it listens on TCP
}

describe("credentials over real HTTP", () => {
  let oven: TestOven;
  let http: HttpServer;
  let port: number;
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }) });
    http = createHttpServer(
      (incoming) => oven.handle(incoming),
      () => (_request, response) => void response.writeHead(200).end("a page"),
    );
    port = await listen(http);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(async () => {
    await http.close();
    await oven.stop();
  });

  const GOOD = `Bearer ${TEST_KEY}`;
  it.each([
    ["a good key", ["Authorization", GOOD], 200],
    ["a lower-case scheme and header", ["authorization", `bearer ${TEST_KEY}`], 200],
    ["two keys, the good one last", ["Authorization", "Bearer wrong", "Authorization", GOOD], 401],
    ["two schemes in one line", ["Authorization", `Bearer wrong, ${GOOD}`], 401],
    ["a good key after a space more", ["Authorization", `Bearer  ${TEST_KEY}`], 200],
    ["a key with something behind it", ["Authorization", `${GOOD} x`], 401],
    ["the key as a basic password", ["Authorization", `Basic ${btoa(`:${TEST_KEY}`)}`], 401],
    ["the key in other headers only", ["X-Api-Key", TEST_KEY, "Proxy-Authorization", GOOD], 401],
    ["Next's header for skipping middleware", ["x-middleware-subrequest", "middleware:middleware:middleware"], 401],
    ["a forged cookie", ["Cookie", "oven.session_token=abc.def"], 401],
    ["a forged cookie beside a wrong key", ["Cookie", "oven.session_token=abc.def", "Authorization", "Bearer x"], 401],
    [
      "headers that proxies set",
      ["X-Forwarded-User", "admin", "X-Forwarded-Host", "localhost", "X-Original-URL", "/api/health"],
      401,
    ],
  ])("takes %s for what it is", async (_name, lines, status) => {
    expect((await send(port, "/api/session", lines)).status).toBe(status);
  });

  it.each([
    "/api",
    "/api/",
    "/api?x",
    "/api/session/",
    "/api//session",
    "/api/%73ession",
    "/api/session?key=1",
    "/api/../api/session",
  ])("serves nothing of the API at %s to nobody", async (path) => {
    const answer = await send(port, path, []);
    expect([401, 404]).toContain(answer.status);
  });

  it.each(["//api/session", "/API/session", "/apis", "/x/api/session"])("leaves %s to the pages", async (path) => {
    expect(await send(port, path, ["Authorization", GOOD])).toEqual({ status: 200, text: "a page" });
  });

  it.each([
    ["its owner is deleted", "delete from users where id = $1", "userId", 401],
    ["it is switched off", "update api_keys set enabled = false where id = $1", "keyId", 401],
    ["it has expired", "update api_keys set expires_at = now() where id = $1", "keyId", 401],
    ["its owner may do nothing any more", "delete from user_roles where user_id = $1", "userId", 403],
    ["its owner's role is unknown", "update user_roles set role = 'constructor' where user_id = $1", "userId", 403],
  ] as const)("a key stops within a second once %s", async (_name, statement, which, status) => {
    const stranger = await insertKey(oven.db, { tenantId: 1, permissions: { "*": ["*"] } });
    const call = () => send(port, "/api/workflows", ["Authorization", `Bearer ${stranger.key}`]);
    expect((await call()).status).toBe(200);
    await oven.db.query(statement, [stranger[which]]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_001 });
    expect((await call()).status).toBe(status);
  });

  it("makes keys for up to ten years and for any well-formed permission", async () => {
    for (const body of [
      { name: "long", permissions: ["workflows.read"], expiresInDays: 3_650 },
      { name: "for ever", permissions: ["workflows.*"], expiresInDays: null },
      { name: "odd", permissions: ["constructor.read", "constructor.write"] },
    ])
      expect(await oven.call("POST", "api-keys", body)).toMatchObject({
        status: 201,
        body: { permissions: body.permissions },
      });
    const tooLong = { name: "longer", permissions: ["workflows.read"], expiresInDays: 3_651 };
    expect((await oven.call("POST", "api-keys", tooLong)).status).toBe(400);
  });
});

describe("who calls", () => {
  it("is what the socket says, also in a copied request, whatever the client claims", async () => {
    const http = createHttpServer(
      async (incoming) => {
        const copy = new Request(incoming.url, { headers: incoming.headers });
        return Response.json([incoming.headers.get("x-forwarded-for"), copy.headers.get("x-forwarded-for")]);
      },
      () => undefined,
    );
    const port = await listen(http);
    const claims = ["X-Forwarded-For", "6.6.6.6", "x-forwarded-for", "7.7.7.7"];
    const { text } = await send(port, "/api/x", claims);
    await http.close();
    expect(JSON.parse(text)).toEqual(["127.0.0.1", "127.0.0.1"]);
  });

  const answerAddress = async (incoming: Request) => Response.json(incoming.headers.get("x-forwarded-for"));

  it("is the first untrusted address from the right behind trusted proxies", async () => {
    const http = createHttpServer(answerAddress, () => undefined, ["127.0.0.1", "10.0.0.0/8"]);
    const port = await listen(http);
    const lines = ["X-Forwarded-For", "1.1.1.1, 6.6.6.6", "X-Forwarded-For", "10.2.3.4"];
    const { text } = await send(port, "/api/x", lines);
    await http.close();
    expect(JSON.parse(text)).toBe("6.6.6.6");
  });

  it("says once that a proxy forwards what is ignored, and nothing where none does", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const listed = createHttpServer(answerAddress, () => undefined, ["127.0.0.1"]);
    const listedPort = await listen(listed);
    await send(listedPort, "/api/x", ["X-Forwarded-For", "6.6.6.6"]);
    await listed.close();
    const http = createHttpServer(answerAddress, () => undefined);
    const port = await listen(http);
    await send(port, "/api/x", []);
    expect(warn.mock.calls).toEqual([]);
    for (const name of ["X-Forwarded-For", "Forwarded", "X-Real-IP"]) await send(port, "/api/x", [name, "6.6.6.6"]);
    await http.close();
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/127\.0\.0\.1.*OVEN_TRUSTED_PROXIES is not set/)]]);
    warn.mockRestore();
  });
});
