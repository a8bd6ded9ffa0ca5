import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { createRuntime, createSystemModule, type Runtime } from "@oven/module-registry";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRolesModule } from "./roles.module.ts";

const ORIGIN = "http://localhost:3000";
const BOOTSTRAP = "bootstrap-key-for-tests-0123";
const ADMIN = { name: "Ada", email: "Ada@example.com", password: "correct horse battery" };

describe("access", () => {
  let db: Database;
  let runtime: Runtime;

  beforeEach(async () => {
    db = await createTestPglite();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await runtime.stop();
    await db.close();
  });

  async function start(bootstrapApiKey?: string): Promise<string> {
    runtime = await createRuntime({
      db,
      modules: [createSystemModule(), createRolesModule()],
      environment: {
        publicUrl: ORIGIN,
        dataDir: "unused",
        secret: "s".repeat(32),
        demo: false,
        bootstrapApiKey,
        outboundAllow: [],
        production: false,
      },
    });
    return tokenOf(await runtime.services.access.newSetupLink());
  }

  const tokenOf = (link: string | undefined) => new URL(link ?? "missing:").searchParams.get("token") ?? "";

  async function call(method: string, path: string, options: { body?: unknown; cookie?: string; key?: string } = {}) {
    const headers = new Headers({ origin: ORIGIN, "content-type": "application/json" });
    if (options.cookie !== undefined) headers.set("cookie", options.cookie);
    if (options.key !== undefined) headers.set("authorization", `Bearer ${options.key}`);
    const response = await runtime.fetch(
      new Request(`${ORIGIN}/api/${path}`, {
        method,
        headers,
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      }),
    );
    const text = await response.text();
    return {
      status: response.status,
      cookie: response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(";")[0])
        .join("; "),
      body: text === "" ? undefined : JSON.parse(text),
    };
  }

  it("makes the first admin with the link, signs them in, and closes set-up", async () => {
    const token = await start();
    expect(await call("GET", "setup")).toMatchObject({ status: 200, body: { open: true } });
    const made = await call("POST", "setup", { body: { ...ADMIN, token } });
    expect(made.status).toBe(201);
    expect(await call("GET", "session", { cookie: made.cookie })).toMatchObject({
      status: 200,
      body: { user: { name: "Ada", email: "ada@example.com" }, tenantId: 1, permissions: ["*"] },
    });
    expect((await call("GET", "setup")).status).toBe(404);
    expect((await call("POST", "setup", { body: { ...ADMIN, token } })).status).toBe(404);
    expect(await runtime.services.access.newSetupLink()).toBeUndefined();
  });

  it("lets one of two racers become admin", async () => {
    const token = await start();
    const racers = await Promise.all(
      ["a@example.com", "b@example.com"].map((email) => call("POST", "setup", { body: { ...ADMIN, email, token } })),
    );
    expect(racers.map(({ status }) => status).sort()).toEqual([201, 403]);
    expect(await db.query("select count(*)::int as users from users")).toEqual([{ users: 1 }]);
  });

  it.each([
    ["a made-up token", () => "x".repeat(43)],
    ["an empty token", () => ""],
    ["the token of an earlier start", (old: string) => old],
  ])("refuses %s", async (_name, choose) => {
    const old = await start();
    await runtime.services.access.newSetupLink();
    const refused = await call("POST", "setup", { body: { ...ADMIN, token: choose(old) } });
    expect([400, 403]).toContain(refused.status);
    expect(await db.query("select id from users")).toEqual([]);
  });

  it("refuses a token that is a day old", async () => {
    const token = await start();
    await db.query("update setup_link set expires_at = now()");
    expect(await call("POST", "setup", { body: { ...ADMIN, token } })).toMatchObject({
      status: 403,
      body: { error: { code: "SETUP_TOKEN_INVALID" } },
    });
  });

  it("keeps sign-up closed and signs in only with the right password", async () => {
    const token = await start();
    await call("POST", "setup", { body: { ...ADMIN, token } });
    const signUp = await call("POST", "auth/sign-up/email", {
      body: { name: "Eve", email: "eve@example.com", password: "0123456789" },
    });
    expect(signUp.status).toBe(404);
    const { email, password } = ADMIN;
    expect((await call("POST", "auth/sign-in/email", { body: { email, password: "wrong password" } })).status).toBe(
      401,
    );
    const signedIn = await call("POST", "auth/sign-in/email", { body: { email, password } });
    expect(signedIn.status).toBe(200);
    await call("POST", "auth/sign-out", { body: {}, cookie: signedIn.cookie });
    expect((await call("GET", "session", { cookie: signedIn.cookie })).status).toBe(401);
  });

  it("makes keys that do what they were given and nothing more, and shows them once", async () => {
    const token = await start();
    const { cookie } = await call("POST", "setup", { body: { ...ADMIN, token } });
    const made = await call("POST", "api-keys", { cookie, body: { name: "ci", permissions: ["api-keys.read"] } });
    expect(made).toMatchObject({
      status: 201,
      body: { key: expect.stringMatching(/^oven_[\w-]{43}$/), permissions: ["api-keys.read"] },
    });
    const { key, id } = made.body;
    const listed = await call("GET", "api-keys", { key });
    expect(listed.body).toMatchObject([{ id, name: "ci", start: key.slice(0, 10) }]);
    expect(JSON.stringify(listed.body)).not.toContain(key);
    expect((await call("POST", "api-keys", { key, body: { name: "more", permissions: ["*"] } })).status).toBe(403);
    const [row] = await db.query("select * from api_keys where id = $1", [id]);
    expect(JSON.stringify(row)).not.toContain(key);
  });

  it("stops a revoked key within a second", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await start(BOOTSTRAP);
    const { body } = await call("POST", "api-keys", { key: BOOTSTRAP, body: { name: "short", permissions: ["*"] } });
    expect((await call("GET", "session", { key: body.key })).status).toBe(200);
    expect((await call("DELETE", `api-keys/${body.id}`, { key: BOOTSTRAP })).status).toBe(204);
    vi.setSystemTime(Date.now() + 1_001);
    expect((await call("GET", "session", { key: body.key })).status).toBe(401);
  });

  it("bootstraps an unattended install, whose admin gets their password by the link, and keeps the key", async () => {
    const token = await start(BOOTSTRAP);
    expect(await call("GET", "session", { key: BOOTSTRAP })).toMatchObject({
      status: 200,
      body: { permissions: ["*"] },
    });
    const { cookie } = await call("POST", "setup", { body: { ...ADMIN, token } });
    expect(await call("GET", "session", { cookie })).toMatchObject({ body: { user: { name: "Ada" } } });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_001 });
    expect(await call("GET", "session", { key: BOOTSTRAP })).toMatchObject({
      status: 200,
      body: { user: { name: "Ada" } },
    });
  });

  it("stays open for set-up while only a key and invited people without the owner role can sign in", async () => {
    const token = await start(BOOTSTRAP);
    const join = async (email: string, roles: string[]) => {
      const { body } = await call("POST", "invitations", { key: BOOTSTRAP, body: { email, roles } });
      const accept = { token: tokenOf(body.link), name: "Rey", password: ADMIN.password };
      return call("POST", "invitations/accept", { body: accept });
    };
    const reviewer = await join("rey@example.com", ["reviewer"]);
    expect(reviewer.status).toBe(201);
    await join("adm@example.com", ["admin"]);
    expect(await call("GET", "setup")).toMatchObject({ status: 200, body: { open: true } });
    const [bootstrap] = await db.query("select id from users where email like 'bootstrap@%'");
    const made = await call("POST", "setup", { body: { ...ADMIN, token } });
    expect(made.status).toBe(201);
    expect((await call("GET", "setup")).status).toBe(404);
    // What was made with the key, and triggers that run as its user, are the owner's now.
    expect(await db.query("select id from users where email = 'ada@example.com'")).toEqual([bootstrap]);
    expect((await call("GET", "session", { cookie: reviewer.cookie })).status).toBe(200);
  });

  it("makes an invited person the owner, with a new password, and ends what was signed in with the old one", async () => {
    const token = await start(BOOTSTRAP);
    const { body } = await call("POST", "invitations", {
      key: BOOTSTRAP,
      body: { email: ADMIN.email, roles: ["reviewer"] },
    });
    const accept = { token: tokenOf(body.link), name: "Ada", password: "the first password" };
    const reviewer = await call("POST", "invitations/accept", { body: accept });
    const made = await call("POST", "setup", { body: { ...ADMIN, token } });
    expect((await call("GET", "session", { cookie: made.cookie })).body.permissions).toContain("*");
    expect((await call("GET", "session", { cookie: reviewer.cookie })).status).toBe(401);
    const signIn = (password: string) =>
      call("POST", "auth/sign-in/email", { body: { email: ADMIN.email.toLowerCase(), password } });
    expect((await signIn(accept.password)).status).toBe(401);
    expect((await signIn(ADMIN.password)).status).toBe(200);
  });

  it("is done when a person was invited as owner, and takes no person of another tenant", async () => {
    const token = await start(BOOTSTRAP);
    await db.query("insert into tenants (id, name) values (2, 'other')");
    await db.query("insert into users (name, email, tenant_id) values ('Ada', 'ada@example.com', 2)");
    expect(await call("POST", "setup", { body: { ...ADMIN, token } })).toMatchObject({
      status: 409,
      body: { error: { code: "USER_EXISTS" } },
    });
    const { body } = await call("POST", "invitations", {
      key: BOOTSTRAP,
      body: { email: "olga@example.com", roles: ["owner"] },
    });
    const accept = { token: tokenOf(body.link), name: "Olga", password: ADMIN.password };
    expect((await call("POST", "invitations/accept", { body: accept })).status).toBe(201);
    expect((await call("GET", "setup")).status).toBe(404);
    expect(await runtime.services.access.newSetupLink()).toBeUndefined();
  });

  it("does not bootstrap over an existing installation", async () => {
    const token = await start();
    await call("POST", "setup", { body: { ...ADMIN, token } });
    await runtime.stop();
    await start(BOOTSTRAP).catch(() => "");
    expect((await call("GET", "session", { key: BOOTSTRAP })).status).toBe(401);
  });

  it.each(["", "Bearer", "Bearer x", "Basic abc"])("refuses the credentials %j", async (authorization) => {
    await start();
    const response = await runtime.fetch(new Request(`${ORIGIN}/api/session`, { headers: { authorization } }));
    expect(response.status).toBe(401);
  });
});
