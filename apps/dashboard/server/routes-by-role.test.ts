import { installedModules } from "@oven/installation";
import { createRuntime, defineModule, defineRoute, ok, type Route } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorCodeOf } from "./testing/error-code-of.ts";
import { isHeldBy } from "./testing/permissions-of-roles.ts";
import { insertKey } from "./testing/strangers.ts";

const ORIGIN = "http://localhost:3000";
/** Whose author has thought of no role but one: what is not declared, only owners and admins may. */
const gadgets = defineModule({
  name: "module-gadgets",
  namespace: "gadgets",
  description: "For this test.",
  dependencies: ["module-roles"],
  permissions: [
    { id: "gadgets.read", title: "See gadgets" },
    { id: "gadgets.purge", title: "Purge gadgets" },
    { id: "gadgets.polish", title: "Polish gadgets", roles: ["reviewer"] },
  ],
  routes: (["read", "purge", "polish"] as const).map((action) =>
    defineRoute({
      method: action === "read" ? "GET" : "POST",
      path: `gadgets/${action}`,
      operation: false,
      summary: action,
      access: { permission: `gadgets.${action}` },
      handler: async () => ok({}),
    }),
  ),
});
const modules = [...installedModules({ demo: true }), gadgets];
const routes = modules.flatMap((module) => module.routes);
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const named = routes.map((route) => [nameOf(route), route] as const);
const mutating = named.filter(([, route]) => route.method !== "GET" && route.access !== "public");
const ROLES = ["owner", "admin", "editor", "operator", "reviewer", "viewer", "auditor"];

/** Of lists in the shape of another API. */
const EMPTY_LISTS: Record<string, string> = { "v1/models": '{"object":"list","data":[]}' };

interface Credentials {
  key?: string;
  cookie?: string;
  headers?: Record<string, string>;
  body?: string;
}

describe("every route, for everybody", () => {
  let oven: TestOven;
  const cookies: Record<string, string> = {};
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules });
    for (const role of ROLES) {
      const email = `${role}@example.com`;
      const invited = await oven.call("POST", "invitations", { email, roles: [role] });
      const token = new URL(invited.body.link).searchParams.get("token");
      const joined = await oven.call("POST", "invitations/accept", { token, name: role, password: "a long password" });
      cookies[role] = joined.headers
        .getSetCookie()
        .map((cookie) => cookie.split(";")[0])
        .join("; ");
    }
    keys.stranger = (await insertKey(oven.db, { tenantId: 2, permissions: { "*": ["*"] }, role: "owner" })).key;
    keys.elsewhere = (await insertKey(oven.db, { tenantId: 1, permissions: { nothing: ["read"] } })).key;
    keys.weakOwner = (await insertKey(oven.db, { tenantId: 1, permissions: { "*": ["*"] }, role: "viewer" })).key;
    const bound = await insertKey(oven.db, { tenantId: 1, permissions: { "*": ["*"] } });
    await oven.db.query("update api_keys set workflows = '{workflow:424242}' where id = $1", [bound.keyId]);
    keys.bound = bound.key;
  });
  afterAll(() => oven.stop());

  async function send(route: Route, { key, cookie, headers = {}, body = "{}" }: Credentials) {
    const path = route.path
      .replace("auth/[...path]", "auth/get-session")
      .replace("audit-log/export", "audit-log/export?format=json")
      .replace(/\[\w+\]/g, "999999");
    const response = await oven.handle(
      new Request(`${ORIGIN}/api/${path}`, {
        method: route.method,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(cookie === undefined ? {} : { cookie, origin: ORIGIN }),
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...headers,
        },
        ...(route.method === "GET" ? {} : { body }),
      }),
    );
    const text = await response.text();
    const isError = response.status >= 400 && text.startsWith('{"error"');
    return { status: response.status, code: isError ? JSON.parse(text).error.code : undefined, text };
  }

  it.each(named)("%s: nobody without credentials, and no garbage", async (_name, route) => {
    const wrong: Credentials[] = [
      {},
      { key: "oven_garbage" },
      { key: "null" },
      { cookie: "oven.session_token=garbage.garbage" },
      { headers: { "x-middleware-subrequest": "middleware:middleware:middleware" } },
      { headers: { "x-forwarded-user": "admin", "x-tenant-id": "1" } },
    ];
    for (const credentials of wrong) {
      const { status } = await send(route, credentials);
      if (route.access === "public") expect(status).not.toBe(401);
      else expect(status).toBe(401);
    }
  });

  it.each(named)("%s: each role as its permission says", async (_name, route) => {
    for (const role of ROLES) {
      const { status, code, text } = await send(route, { cookie: cookies[role] ?? "" });
      const refused = typeof route.access === "object" && !isHeldBy(role, route.access.permission);
      if (refused) expect([role, status, code]).toEqual([role, 403, errorCodeOf(route, "FORBIDDEN")]);
      else {
        expect([401, 403, 429], `${role} ${status} ${text}`).not.toContain(status);
        expect(status, `${role} ${text}`).toBeLessThan(500);
      }
    }
  });

  it.each(named)("%s: a key by its scopes, and never beyond its owner", async (_name, route) => {
    if (route.access === "public") return;
    const permission = typeof route.access === "object" ? route.access.permission : undefined;
    const elsewhere = await send(route, { key: keys.elsewhere ?? "" });
    if (permission === undefined) expect([401, 403]).not.toContain(elsewhere.status);
    else expect([elsewhere.status, elsewhere.code]).toEqual([403, errorCodeOf(route, "FORBIDDEN")]);
    const weak = await send(route, { key: keys.weakOwner ?? "" });
    const mayViewer = permission === undefined || isHeldBy("viewer", permission);
    if (mayViewer) expect([401, 403]).not.toContain(weak.status);
    else expect([weak.status, weak.code]).toEqual([403, errorCodeOf(route, "FORBIDDEN")]);
  });

  it.each(named)("%s: a key bound to one workflow comes to no other", async (_name, route) => {
    if (route.access === "public") return;
    const { status, text } = await send(route, { key: keys.bound ?? "" });
    const isList = route.keepsToWorkflows === true && route.method === "GET" && !route.path.includes("[");
    if (["session", "openapi.json"].includes(route.path)) expect(status).toBe(200);
    else if (isList) expect([status, text]).toEqual([200, EMPTY_LISTS[route.path] ?? "[]"]);
    else expect([400, 403, 404]).toContain(status);
  });

  it.each(named.filter(([, { path }]) => path.includes("[id]")))(
    "%s: what another tenant asks for does not exist",
    async (_name, route) => {
      const { status } = await send(route, { key: keys.stranger ?? "" });
      expect([400, 404, 422]).toContain(status);
    },
  );

  it.each(mutating)("%s: a cookie only from our own pages", async (_name, route) => {
    const cookie = cookies.owner ?? "";
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:3001" },
      { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
    ];
    for (const headers of foreign) {
      const { status, code } = await send(route, { cookie, headers });
      expect([status, code]).toEqual([403, errorCodeOf(route, "ORIGIN_REFUSED")]);
    }
  });

  const reading = named.filter(([, route]) => route.method === "GET" && route.access !== "public");
  it.each(reading)("%s: no other site's page reads it with a cookie", async (_name, route) => {
    const cookie = cookies.owner ?? "";
    for (const site of ["cross-site", "same-site"]) {
      const headers = { "sec-fetch-site": site, "sec-fetch-mode": "no-cors" };
      expect(await send(route, { cookie, headers })).toMatchObject({
        status: 403,
        code: errorCodeOf(route, "ORIGIN_REFUSED"),
      });
    }
    expect((await send(route, { cookie, headers: { "sec-fetch-site": "same-origin" } })).status).not.toBe(403);
  });

  const parsed = mutating.filter(([, route]) => route.raw !== true);
  it.each(parsed)("%s: JSON only, and no more than its limit", async (_name, route) => {
    const cookie = cookies.owner ?? "";
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const { status, code } = await send(route, { cookie, headers: { "content-type": type }, body: '{"files":1}' });
      expect([status, code]).toEqual([415, errorCodeOf(route, "UNSUPPORTED_MEDIA_TYPE")]);
    }
    const limit = String((route.bodyLimit ?? 1_048_576) + 1);
    const { status, code } = await send(route, { cookie, headers: { "content-length": limit } });
    expect([status, code]).toEqual([413, errorCodeOf(route, "BODY_TOO_LARGE")]);
  });

  // Which of them are open to everybody: routes.test.ts.
  it("covers them all", () => expect(named.length).toBeGreaterThan(200));
});
