import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PASSWORD, startAccess, type TestAccess } from "../testing/start-access.ts";
import { hashSessionToken, hashStoredSessions } from "./hashed-sessions.ts";

describe("tokens of sessions", () => {
  let access: TestAccess;
  let email: string;
  beforeAll(async () => {
    access = await startAccess();
    email = access.owner.email;
  });
  afterAll(() => access.stop());

  const signIn = async () =>
    (await access.call("POST", "auth/sign-in/email", { body: { email, password: PASSWORD } })).cookie;
  const tokenOf = (cookie: string) =>
    decodeURIComponent(/session_token=([^;]+)/.exec(cookie)?.[1] ?? "").split(".")[0] ?? "";
  const cookieOf = (token: string) => {
    const signature = createHmac("sha256", "s".repeat(32)).update(token).digest("base64");
    return `oven.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
  };
  const ask = async (cookie: string) => access.call("GET", "account/sessions", { cookie });
  const stored = async (token: string) =>
    (await access.db.query<{ id: number }>("select id from sessions where token = $1", [token])).length;

  it("are stored as hashes, and what the database has signs nobody in", async () => {
    const cookie = await signIn();
    const token = tokenOf(cookie);
    expect(token).toMatch(/^\w{32}$/);
    expect((await ask(cookie)).status).toBe(200);
    expect([await stored(token), await stored(hashSessionToken(token))]).toEqual([0, 1]);
    const dumped = JSON.stringify(await access.db.query("select * from sessions"));
    expect(dumped).not.toContain(token);
    // With the installation's secret, too: the same cookie made by hand is good, one of the hash is not.
    expect((await ask(cookieOf(token))).status).toBe(200);
    expect((await ask(cookieOf(hashSessionToken(token)))).status).toBe(401);
  });

  it("from before are replaced at the next start, and their owners stay signed in", async () => {
    const cookie = await signIn();
    const token = tokenOf(cookie);
    await access.db.query("update sessions set token = $1 where token = $2", [token, hashSessionToken(token)]);
    expect((await ask(cookie)).status).toBe(401);
    await hashStoredSessions(access.db);
    await hashStoredSessions(access.db);
    expect((await ask(cookie)).status).toBe(200);
    expect(await stored(token)).toBe(0);
  });

  it("stay the same when a session is prolonged, and end with it", async () => {
    const cookie = await signIn();
    const hash = hashSessionToken(tokenOf(cookie));
    await access.db.query("update sessions set expires_at = now() + interval '1 day' where token = $1", [hash]);
    const asked = await access.call("GET", "auth/get-session", { cookie });
    expect(asked.status).toBe(200);
    const [row] = await access.db.query<{ days: number }>(
      "select extract(day from expires_at - now())::int as days from sessions where token = $1",
      [hash],
    );
    expect(row?.days).toBeGreaterThan(3);
    expect((await ask(cookie)).status).toBe(200);
    expect(tokenOf(asked.cookie)).toBe(tokenOf(cookie));
    expect((await access.call("POST", "auth/sign-out", { cookie, body: {} })).status).toBe(200);
    expect(await stored(hash)).toBe(0);
    expect((await ask(cookie)).status).toBe(401);
  });
});
