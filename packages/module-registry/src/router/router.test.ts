import type { Principal } from "@oven/contract";
import { surround, TEXT_SAMPLES } from "@oven/contract/text/testing";
import { createTestPglite } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineModule } from "../define/define-module.ts";
import { accepted, created, defineRoute, noContent, ok } from "../define/define-route.ts";
import { createSystemModule } from "../routes.ts";
import { createRuntime, type Runtime } from "../runtime.ts";
import { toErrorResponse, toOvenError } from "./errors.ts";
import { invokeRoute } from "./invoke-route.ts";

const principal = (permissions: string[]): Principal => ({ kind: "user", userId: 1, tenantId: 1, permissions });
const PRINCIPALS: Record<string, Principal> = {
  admin: principal(["*"]),
  reader: principal(["things.read"]),
  nobody: principal([]),
};

const echo = defineRoute({
  method: "POST",
  path: "things/[id]",
  operation: "things.update",
  summary: "Echo",
  access: { permission: "things.write" },
  params: z.object({ id: z.coerce.number().int() }),
  query: z.object({ loud: z.enum(["0", "1"]).optional() }),
  body: z.strictObject({ name: z.string(), nested: z.strictObject({ n: z.int() }).optional() }),
  response: z.object({ id: z.int(), name: z.string() }),
  bodyLimit: 200,
  handler: async ({ params, body }) => ok({ id: params.id, name: body.name }),
});

const things = defineModule({
  name: "module-things",
  namespace: "things",
  description: "For tests.",
  dependencies: ["module-registry"],
  services: async () => ({
    authenticate: async (request) => {
      const bearer = request.headers.get("authorization")?.slice("Bearer ".length);
      const cookie = request.headers.get("cookie");
      const found = PRINCIPALS[bearer ?? cookie ?? ""];
      return found === undefined ? undefined : { principal: found, via: bearer === undefined ? "cookie" : "bearer" };
    },
  }),
  routes: [
    echo,
    defineRoute({
      method: "GET",
      path: "things",
      operation: "things.list",
      summary: "List",
      access: { permission: "things.read" },
      handler: async () => ok([]),
    }),
    defineRoute({
      method: "DELETE",
      path: "things/[id]",
      operation: false,
      summary: "Delete",
      access: "session",
      handler: async () => noContent(),
    }),
    defineRoute({
      method: "PUT",
      path: "liar",
      operation: false,
      summary: "Lie",
      access: "session",
      response: z.object({ n: z.int() }),
      handler: async () => ok({ n: "x" }),
    }),
    defineRoute({
      method: "GET",
      path: "broken",
      operation: false,
      summary: "Break",
      access: "public",
      handler: async () => {
        throw new Error("password=hunter2");
      },
    }),
    defineRoute({
      method: "POST",
      path: "made",
      operation: false,
      summary: "Make",
      access: "session",
      body: z.object({}),
      handler: async () => created({}),
    }),
    defineRoute({
      method: "POST",
      path: "queued",
      operation: false,
      summary: "Queue",
      access: "session",
      handler: async () => accepted({}),
    }),
  ],
});

describe("the router", () => {
  let runtime: Runtime;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const db = await createTestPglite();
    const environment = {
      publicUrl: "http://localhost:3000",
      dataDir: "unused",
      secret: "s".repeat(32),
      demo: false,
      bootstrapApiKey: undefined,
      outboundAllow: [],
      production: false,
    };
    runtime = await createRuntime({ db, modules: [createSystemModule(), things], environment });
    close = async () => {
      await runtime.stop();
      await db.close();
    };
  });
  afterAll(() => close());

  async function call(
    method: string,
    path: string,
    init: {
      as?: string;
      cookie?: string;
      body?: string | ReadableStream | Uint8Array<ArrayBuffer>;
      headers?: Record<string, string>;
    } = {},
  ) {
    const headers = new Headers({ "content-type": "application/json", ...init.headers });
    if (init.as !== undefined) headers.set("authorization", `Bearer ${init.as}`);
    if (init.cookie !== undefined) headers.set("cookie", init.cookie);
    const request = new Request(`http://localhost:3000/api/${path}`, {
      method,
      headers,
      ...(init.body === undefined ? {} : { body: init.body, duplex: "half" }),
    });
    const response = await runtime.fetch(request);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  }

  it("answers health without credentials and nothing else", async () => {
    expect(await call("GET", "health")).toMatchObject({ status: 200, body: { status: "ok", database: "pglite" } });
    const refused = await call("GET", "things");
    expect(refused).toMatchObject({ status: 401, body: { error: { code: "UNAUTHENTICATED" } } });
    expect(refused.headers.get("www-authenticate")).toContain("Bearer");
  });

  it("decides by permission, before it looks at the body", async () => {
    const refused = await call("POST", "things/1", { as: "reader", body: "not json" });
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: "FORBIDDEN", details: { permission: "things.write" } } },
    });
    expect((await call("GET", "things", { as: "reader" })).status).toBe(200);
  });

  it.each([
    ["unparsable JSON", "{", 400, "INVALID_JSON", "$"],
    [
      "a number that would be changed",
      '{"name":"a","nested":{"n":7615917337495251231}}',
      400,
      "NUMBER_NOT_EXACT",
      "$.nested.n",
    ],
    ["a number that is out of range", '{"name":1e400}', 400, "NUMBER_NOT_EXACT", "$.name"],
    ["a wrong type", '{"name":1}', 400, "INVALID_REQUEST", "$.name"],
    ["a nested wrong type", '{"name":"a","nested":{"n":"x"}}', 400, "INVALID_REQUEST", "$.nested.n"],
    ["an unknown field", '{"name":"a","tenantId":2}', 400, "INVALID_REQUEST", "$"],
  ])("refuses %s with code and path", async (_name, body, status, code, path) => {
    expect(await call("POST", "things/1", { as: "admin", body })).toMatchObject({
      status,
      body: { error: { code, path } },
    });
  });

  it("refuses a body over the limit, announced or chunked", async () => {
    const large = JSON.stringify({ name: "x".repeat(300) });
    expect((await call("POST", "things/1", { as: "admin", body: large })).status).toBe(413);
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large));
        controller.close();
      },
    });
    expect((await call("POST", "things/1", { as: "admin", body: chunked })).status).toBe(413);
  });

  it("refuses other media types, unknown paths and wrong methods", async () => {
    const form = { as: "admin", body: "name=a", headers: { "content-type": "application/x-www-form-urlencoded" } };
    expect((await call("POST", "things/1", form)).status).toBe(415);
    expect((await call("GET", "nothing/here", { as: "admin" })).status).toBe(404);
    const wrong = await call("PUT", "things/1", { as: "admin" });
    expect(wrong).toMatchObject({ status: 405, body: { error: { fix: "Use POST or DELETE." } } });
    expect(wrong.headers.get("allow")).toBe("POST, DELETE");
  });

  it.each(TEXT_SAMPLES)("reads a body in $charset, as it declares", async (sample) => {
    const headers = { "content-type": `application/json; charset=${sample.charset}` };
    const body = surround('{"name":"', sample, '"}');
    expect(await call("POST", "things/1", { as: "admin", headers, body })).toMatchObject({
      status: 200,
      body: { name: sample.text },
    });
  });

  it("refuses a body whose bytes are no text, instead of putting other characters there", async () => {
    const body = new Uint8Array(Buffer.from('{"name":"M\xfcller"}', "latin1"));
    expect(await call("POST", "things/1", { as: "admin", body })).toMatchObject({
      status: 400,
      body: { error: { code: "TEXT_UNDECODABLE", path: "$", message: expect.stringContaining("utf-8") } },
    });
  });

  it("refuses bodies nested beyond measure, before any schema sees them", async () => {
    const nested = (depth: number) => `{"name":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    for (const depth of [500, 10_000]) {
      // The limit of this route is 200 bytes; `made` takes a megabyte.
      expect(await call("POST", "made", { as: "admin", body: nested(depth) })).toMatchObject({
        status: 400,
        body: { error: { code: "INVALID_JSON", path: "$", message: expect.stringContaining("nested") } },
      });
    }
    expect((await call("POST", "made", { as: "admin", body: nested(499) })).status).toBe(201);
  });

  it("closes the connection after a body that it did not read", async () => {
    const answer = await call("POST", "things/1", { as: "admin", body: JSON.stringify({ name: "x".repeat(300) }) });
    expect(answer.headers.get("connection")).toBe("close");
  });

  it.each(["openapiXjson", "things/", "things/1/", "/things", "things/1/2"])(
    "does not take %s for something near it",
    async (path) => {
      expect((await call("GET", path, { as: "admin" })).status).toBe(404);
    },
  );

  it.each([
    ["http://localhost:3001", 403],
    ["https://localhost:3000", 403],
    ["http://localhost:3000.evil.example", 403],
    ["http://localhost:3000@evil.example", 403],
    ["http://evil.example#localhost:3000", 403],
    ["http://127.0.0.2:3000", 403],
    ["file://", 403],
    ["", 403],
    ["http://[::1]:3000", 204],
    ["HTTP://LOCALHOST:3000", 204],
  ])("answers a cookie's request from the origin %j with %i", async (origin, status) => {
    expect((await call("DELETE", "things/1", { cookie: "admin", headers: { origin } })).status).toBe(status);
  });

  it.each([
    ["cross-site", "no-cors", 403],
    ["same-site", "cors", 403],
    ["cross-site", "navigate", 200],
    ["same-origin", "cors", 200],
    ["none", "navigate", 200],
  ])("answers a cookie's reading request of a %s page in mode %s with %i", async (site, mode, status) => {
    const headers = { "sec-fetch-site": site, "sec-fetch-mode": mode };
    expect((await call("GET", "things", { cookie: "admin", headers })).status).toBe(status);
    expect((await call("GET", "things", { as: "admin", headers })).status).toBe(200);
  });

  it("takes a cookie's mutating request from our own origin only", async () => {
    const from = (origin: string | undefined) =>
      call("DELETE", "things/1", { cookie: "admin", ...(origin === undefined ? {} : { headers: { origin } }) });
    expect((await from("https://evil.example")).status).toBe(403);
    expect((await from("null")).status).toBe(403);
    expect((await from(undefined)).status).toBe(403);
    expect((await from("http://localhost:3000")).status).toBe(204);
    expect((await from("http://127.0.0.1:3000")).status).toBe(204);
    expect((await call("GET", "things", { cookie: "admin" })).status).toBe(200);
  });

  it("tells nothing of an unforeseen error", async () => {
    const answer = await call("GET", "broken");
    expect(answer).toMatchObject({ status: 500, body: { error: { code: "INTERNAL" } } });
    expect(JSON.stringify(answer.body)).not.toContain("hunter2");
  });

  it("says that the database is away where that is why, and only there", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const query = new Error("Failed query: select 1", { cause: refused });
    const answer = toErrorResponse(query);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await answer.json()).toMatchObject({ error: { code: "DATABASE_UNAVAILABLE" } });
    expect(toOvenError(refused).code).toBe("INTERNAL");
    expect(toOvenError(new Error("Failed query: select nothing")).code).toBe("INTERNAL");
  });

  it("catches a handler whose answer is not what it declares", async () => {
    expect(await call("PUT", "liar", { as: "admin" })).toMatchObject({
      status: 500,
      body: { error: { code: "RESPONSE_SHAPE" } },
    });
  });

  it("sets security headers on every answer", async () => {
    for (const path of ["health", "nothing"]) {
      expect((await call("GET", path)).headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("describes each route in OpenAPI from its own schemas", async () => {
    const { body } = await call("GET", "openapi.json", { as: "nobody" });
    const operation = body.paths["/api/things/{id}"].post;
    expect(operation.requestBody.content["application/json"].schema.required).toEqual(["name"]);
    expect(body.openapi).toBe("3.1.0");
  });

  it("calls a route in-process with the caller's permissions and the same schemas", async () => {
    const options = { services: runtime.services, signal: new AbortController().signal };
    const given = { params: { id: "7" }, body: { name: "a" } };
    expect(await invokeRoute(echo, given, { ...options, principal: principal(["things.*"]) })).toEqual({
      id: 7,
      name: "a",
    });
    await expect(invokeRoute(echo, given, { ...options, principal: principal(["things.read"]) })).rejects.toMatchObject(
      { code: "FORBIDDEN" },
    );
    const wrong = invokeRoute(echo, { ...given, body: {} }, { ...options, principal: principal(["*"]) });
    await expect(wrong).rejects.toMatchObject({ code: "INVALID_REQUEST", path: "$.name" });
  });
});
