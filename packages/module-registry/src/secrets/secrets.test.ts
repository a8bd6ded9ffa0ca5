import { OvenError, type Principal } from "@oven/contract";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defineModule } from "../define/define-module.ts";
import { createSystemModule } from "../routes.ts";
import { createRuntime, type Runtime } from "../runtime.ts";
import { createSecretService, type SecretService } from "./secret-service.ts";

const FIRST = "the-first-root-secret-of-the-tests-0123456789";
const SECOND = "the-second-root-secret-of-the-tests-0123456789";
const VALUE = "sk-canary+value/with=signs";
const HOST = "api.example.com";
const KEEPER: Principal = { kind: "user", userId: 1, tenantId: 1, permissions: ["secrets.update"] };
const OTHER: Principal = { kind: "user", userId: 2, tenantId: 2, permissions: ["*"] };
const POWERLESS: Principal = { kind: "user", userId: 3, tenantId: 1, permissions: ["config.update"] };
const PRINCIPALS: Record<string, Principal> = { keeper: KEEPER, other: OTHER, powerless: POWERLESS };

let db: Database;
let runtime: Runtime;
let secrets: SecretService;

async function open(secret: string, previousSecrets: string[] = []): Promise<Runtime> {
  const doors = defineModule({
    name: "module-doors",
    namespace: "doors",
    description: "For tests.",
    dependencies: [],
    services: async () => ({
      authenticate: async (request) => {
        const principal = PRINCIPALS[request.headers.get("authorization") ?? ""];
        return principal && { principal, via: "bearer" as const };
      },
    }),
  });
  return createRuntime({
    db,
    modules: [createSystemModule(), doors],
    environment: {
      publicUrl: "http://localhost:3000",
      dataDir: "unused",
      secret,
      previousSecrets,
      demo: false,
      bootstrapApiKey: undefined,
      outboundAllow: [],
      production: false,
    },
  });
}

beforeAll(async () => {
  db = await createTestPglite();
  runtime = await open(FIRST);
  secrets = runtime.services.secrets;
});
beforeEach(() => db.query("delete from secrets"));
afterAll(async () => {
  await runtime.stop();
  await db.close();
});

async function call(as: string, method: string, path: string, body?: object) {
  const response = await runtime.fetch(
    new Request(`http://localhost:3000/api/secrets${path}`, {
      method,
      headers: { authorization: as, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, text, body: text === "" ? undefined : JSON.parse(text) };
}

const stored = () => db.query<{ id: number; key_id: string; sealed: string }>("select id, key_id, sealed from secrets");

describe("a secret", () => {
  it("is written, listed by name, hosts and last use, and never read back", async () => {
    const made = await call("keeper", "POST", "", { name: "shop", value: VALUE, hosts: ["API.example.com:443", HOST] });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ name: "shop", hosts: [HOST], lastUsedAt: null }),
    ]);
    await secrets.use(1, "secret:shop", HOST);
    const list = await call("keeper", "GET", "");
    expect(list.body).toMatchObject([{ name: "shop", lastUsedAt: expect.stringMatching(/^\d{4}-/) }]);
    const changed = await call("keeper", "PUT", `/${made.body.id}`, { value: `${VALUE}2`, hosts: ["b.example"] });
    expect(changed.body).toMatchObject({ name: "shop", hosts: ["b.example"] });
    expect(await secrets.use(1, "secret:shop", "b.example")).toBe(`${VALUE}2`);
    for (const { text } of [made, list, changed, await call("keeper", "GET", `/${made.body.id}`)])
      expect(text).not.toMatch(/canary|sealed|keyId/);
    expect((await call("keeper", "DELETE", `/${made.body.id}`)).status).toBe(204);
    await expect(secrets.use(1, "secret:shop", "b.example")).rejects.toMatchObject({ code: "SECRET_UNKNOWN" });
  });

  it("may have any characters but those that end or control a line", async () => {
    const make = (value: string) => call("keeper", "POST", "", { name: "odd", value, hosts: [HOST] });
    for (const value of ["one\ntwo three", "null\0 and more", "a \ud800 surrogate", "seven77"])
      expect((await make(value)).status, value).toBe(400);
    const made = await make("Pässwort 密码 🔑");
    expect(made.status).toBe(201);
    expect(await secrets.use(1, "secret:odd", HOST)).toBe("Pässwort 密码 🔑");
    expect(secrets.redact(1, { said: "P\\u00e4sswort \\u5bc6\\u7801 \\ud83d\\udd11!" })).toEqual({
      said: "[secret:odd]!",
    });
    expect((await call("keeper", "DELETE", `/${made.body.id}`)).status).toBe(204);
  });

  it("is for those only who may change secrets, and for its own tenant", async () => {
    const { id } = await secrets.create(KEEPER, { name: "shop", value: VALUE, hosts: [HOST] });
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["POST", "/rotate"],
      ["GET", `/${id}`],
      ["PUT", `/${id}`],
      ["DELETE", `/${id}`],
    ] as const)
      expect((await call("powerless", method, path, method === "GET" ? undefined : {})).status).toBe(403);
    expect((await call("other", "GET", "")).body).toEqual([]);
    expect((await call("other", "PUT", `/${id}`, { hosts: ["evil.example"] })).status).toBe(404);
    expect((await call("other", "DELETE", `/${id}`)).status).toBe(404);
    await expect(secrets.use(2, "secret:shop", HOST)).rejects.toMatchObject({ code: "SECRET_UNKNOWN", status: 422 });
  });

  it.each(["api.example.com.evil.example", "evil.example", "api.example.com:8443", "example.com", ""])(
    "is not given out for the host %s",
    async (host) => {
      await secrets.create(KEEPER, { name: "shop", value: VALUE, hosts: [HOST] });
      await expect(secrets.use(1, "secret:shop", host)).rejects.toMatchObject({ code: "SECRET_HOST_REFUSED" });
    },
  );

  it("makes signatures only when it is sent nowhere", async () => {
    await secrets.create(KEEPER, { name: "shop", value: VALUE, hosts: [HOST] });
    expect((await call("keeper", "POST", "", { name: "hook", value: VALUE, hosts: [] })).status).toBe(201);
    expect(await secrets.signingKey(1, "secret:hook")).toBe(VALUE);
    await expect(secrets.use(1, "secret:hook", HOST)).rejects.toMatchObject({ code: "SECRET_HOST_REFUSED" });
    await expect(secrets.signingKey(1, "secret:shop")).rejects.toMatchObject({ code: "SECRET_HOST_REFUSED" });
    await expect(secrets.signingKey(2, "secret:hook")).rejects.toMatchObject({ code: "SECRET_UNKNOWN" });
  });

  it.each(["https://a.example", "*.example.com", "a/b", "user@a.example", "", "a b"])(
    "cannot be bound to %j",
    async (host) => {
      expect((await call("keeper", "POST", "", { name: "shop", value: VALUE, hosts: [host] })).status).toBe(400);
    },
  );

  it("is stored sealed: another each time, bound to its row, and not to be opened once it was touched", async () => {
    await secrets.create(KEEPER, { name: "one", value: VALUE, hosts: [HOST] });
    await secrets.create(KEEPER, { name: "two", value: VALUE, hosts: [HOST] });
    const [one, two] = await stored();
    expect(one?.sealed).not.toBe(two?.sealed);
    expect(JSON.stringify([one, two])).not.toContain(Buffer.from(VALUE).toString("base64").slice(0, 8));
    await db.query("update secrets set sealed = $1 where name = 'two'", [one?.sealed]);
    await expect(secrets.use(1, "secret:two", HOST)).rejects.toMatchObject({ code: "SECRET_UNREADABLE", status: 500 });
    const bytes = Buffer.from(one?.sealed ?? "", "base64");
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await db.query("update secrets set sealed = $1 where name = 'one'", [bytes.toString("base64")]);
    await expect(secrets.use(1, "secret:one", HOST)).rejects.toMatchObject({ code: "SECRET_UNREADABLE" });
  });
});

describe("another root secret", () => {
  it("opens nothing of the one before, unless that is named; then using seals anew", async () => {
    await secrets.create(KEEPER, { name: "shop", value: VALUE, hosts: [HOST] });
    const [before] = await stored();
    const without = createSecretService(db, { secret: SECOND });
    await expect(without.use(1, "secret:shop", HOST)).rejects.toMatchObject({ code: "SECRET_UNREADABLE" });
    const both = createSecretService(db, { secret: SECOND, previousSecrets: [FIRST] });
    expect(await both.use(1, "secret:shop", HOST)).toBe(VALUE);
    const [after] = await stored();
    expect(after?.key_id).not.toBe(before?.key_id);
    expect(await without.use(1, "secret:shop", HOST)).toBe(VALUE);
  });

  it("seals all anew when the server starts with the one before, or when asked for one tenant", async () => {
    await secrets.create(KEEPER, { name: "mine", value: VALUE, hosts: [HOST] });
    await secrets.create(OTHER, { name: "theirs", value: VALUE, hosts: [HOST] });
    const both = createSecretService(db, { secret: SECOND, previousSecrets: [FIRST] });
    expect(await both.rotate(2)).toEqual({ rotated: 1, unreadable: [] });
    const restarted = await open(SECOND, [FIRST]);
    await restarted.stop();
    const alone = createSecretService(db, { secret: SECOND });
    expect(await alone.use(1, "secret:mine", HOST)).toBe(VALUE);
    expect(await alone.use(2, "secret:theirs", HOST)).toBe(VALUE);
    expect((await call("keeper", "POST", "/rotate", {})).body).toEqual({ rotated: 0, unreadable: ["mine"] });
  });
});

describe("redaction", () => {
  it("finds the value in texts, keys, URLs, JSON and base64, for its own tenant only", async () => {
    const own = createSecretService(db, { secret: FIRST });
    expect(own.redact(1, { said: VALUE })).toEqual({ said: VALUE });
    await own.create(KEEPER, { name: "shop", value: VALUE, hosts: [HOST] });
    const base64 = ["", "a", "ab", "abc:"].flatMap((before) =>
      ["", "z", "zz"].map((after) => Buffer.from(before + VALUE + after).toString("base64")),
    );
    const told = { [VALUE]: [`a ${VALUE} b`, encodeURIComponent(VALUE), ...base64, 7, null] };
    const shown = JSON.stringify(own.redact(1, told));
    for (const form of [VALUE, encodeURIComponent(VALUE), ...base64.map((text) => text.slice(8, -8))])
      expect(shown).not.toContain(form);
    expect(shown).toContain("a [secret:shop] b");
    expect(own.redact(2, told)).toEqual(told);
    expect(own.redactText(`tenant 1 sent ${VALUE}`)).toBe("tenant 1 sent [secret:shop]");
    const cause = new Error("inner", { cause: new Error(VALUE) });
    const lost = new OvenError("SAMPLE", `lost ${VALUE}`, { uncertain: true, retryable: true, retryAfterMs: 5 });
    expect(own.redactError(1, lost)).toMatchObject({ uncertain: true, retryable: true, retryAfterMs: 5 });
    const error = own.redactError(1, new Error(`no ${VALUE}`, { cause })) as Error; // cast: an error goes in
    expect([error.message, error.cause]).toEqual(["no [secret:shop]", undefined]);
    const hidden = own.redactError(1, new Error("outer", { cause })) as Error; // cast: as above
    expect(hidden.cause).toBeUndefined();
  });
});
