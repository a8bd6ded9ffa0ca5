import { SoftwarePasskey } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, PASSWORD, type Person, startAccess, type TestAccess } from "../testing/start-access.ts";

const ORIGIN = "http://localhost:3000";

describe("passkeys", () => {
  let access: TestAccess;
  let ada: Person;
  let passkey: SoftwarePasskey;
  beforeAll(async () => {
    access = await startAccess();
    ada = await access.join("ada", ["operator"]);
    passkey = new SoftwarePasskey(ORIGIN);
  });
  afterAll(() => access.stop());

  const options = (cookie: string, body: object = { password: PASSWORD }) =>
    access.call("POST", "account/passkeys/options", { cookie, body });
  const both = (session: string, { cookie }: Answer) => `${session}; ${cookie}`;
  const challenge = () => access.call("POST", "auth/sign-in/passkey/options", { body: {} });
  const signIn = (asked: Answer, response: unknown) =>
    access.call("POST", "auth/sign-in/passkey", { cookie: asked.cookie, body: { response } });
  const REFUSED = { status: 401, body: { error: { code: "PASSKEY_REFUSED" } } };

  it("are registered with the password, by a verified person, on our page; all other sessions end", async () => {
    expect((await options(ada.cookie, {})).body.error.code).toBe("PASSWORD_WRONG");
    const body = { email: ada.email, password: PASSWORD };
    const other = (await access.call("POST", "auth/sign-in/email", { body })).cookie;
    const register = (asked: Answer, response: unknown) =>
      access.call("POST", "account/passkeys", {
        cookie: both(ada.cookie, asked),
        body: { name: "Phone", response },
      });
    for (const flaws of [{ isPersonVerified: false }, { origin: "https://evil.example" }]) {
      const asked = await options(ada.cookie);
      expect(asked.body.authenticatorSelection).toMatchObject({ userVerification: "required" });
      expect(asked.body.rp.id).toBe("localhost");
      expect((await register(asked, passkey.register(asked.body, flaws))).body.error.code).toBe("PASSKEY_REFUSED");
    }
    const asked = await options(ada.cookie);
    const response = passkey.register(asked.body);
    const made = await register(asked, response);
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201, body: { name: "Phone", synced: false } });
    // The challenge is used up.
    expect((await register(asked, response)).status).toBe(400);
    expect((await access.call("GET", "session", { cookie: other })).status).toBe(401);
    expect((await access.call("GET", "account/passkeys", { cookie: ada.cookie })).body).toHaveLength(1);
    const [row] = await access.db.query<{ tenant_id: number }>("select tenant_id from passkeys");
    expect(row?.tenant_id).toBe(1);
  });

  it("sign in once for each challenge, and count as the second factor that a role demands", async () => {
    await access.db.query(
      "insert into role_settings (tenant_id, role, requires_second_factor) values (1, 'operator', true)",
    );
    const asked = await challenge();
    const answer = passkey.signIn(asked.body);
    const signedIn = await signIn(asked, answer);
    expect(signedIn.status, JSON.stringify(signedIn.body)).toBe(200);
    expect(signedIn.body).toEqual({ user: { id: ada.id, email: ada.email } });
    expect((await access.call("GET", "things", { cookie: signedIn.cookie })).status).toBe(200);
    // So does the session in which it was made.
    expect((await access.call("GET", "things", { cookie: ada.cookie })).status).toBe(200);
    expect(await signIn(asked, answer)).toMatchObject(REFUSED);
    expect((await access.audited()).slice(-2)).toMatchObject([
      { action: "sign-in.passkey", outcome: "done", user_id: ada.id },
      { action: "sign-in.passkey", outcome: "refused", user_id: null },
    ]);
  });

  it.each([
    ["without a fingerprint, face or PIN", { isPersonVerified: false }],
    ["of another page", { origin: "https://evil.example" }],
  ])("do not sign in %s", async (_what, flaws) => {
    const asked = await challenge();
    expect(await signIn(asked, passkey.signIn(asked.body, flaws))).toMatchObject(REFUSED);
  });

  it("do not sign in with another key, another challenge, none, or garbage", async () => {
    const asked = await challenge();
    expect(await signIn(asked, new SoftwarePasskey(ORIGIN).signIn(asked.body))).toMatchObject(REFUSED);
    const [one, other] = [await challenge(), await challenge()];
    expect(await signIn(one, passkey.signIn(other.body))).toMatchObject(REFUSED);
    expect(await access.call("POST", "auth/sign-in/passkey", { body: { response: {} } })).toMatchObject(REFUSED);
    for (const response of [null, "x", [], { id: 7 }, undefined])
      expect(await signIn(await challenge(), response)).toMatchObject(REFUSED);
  });

  it("are taken from our own pages only", async () => {
    const asked = await challenge();
    const foreign = await access.call("POST", "auth/sign-in/passkey", {
      cookie: asked.cookie,
      body: { response: passkey.signIn(asked.body) },
      headers: { origin: "https://evil.example" },
    });
    expect(foreign).toMatchObject({ status: 403, body: { error: { code: "ORIGIN_REFUSED" } } });
  });

  it("of a person who is disabled, or that were removed, do not sign in", async () => {
    const set = (disabled: boolean) =>
      access.call("PUT", `users/${ada.id}`, { cookie: access.owner.cookie, body: { disabled } });
    await set(true);
    const asked = await challenge();
    expect(await signIn(asked, passkey.signIn(asked.body))).toMatchObject(REFUSED);
    await set(false);
    const back = await challenge();
    const { cookie } = await signIn(back, passkey.signIn(back.body));
    const [row] = (await access.call("GET", "account/passkeys", { cookie })).body;
    const remove = (body: object) => access.call("POST", `account/passkeys/${row.id}/remove`, { cookie, body });
    expect((await remove({})).body.error.code).toBe("PASSWORD_WRONG");
    expect((await remove({ password: PASSWORD })).status).toBe(204);
    const gone = await challenge();
    expect(await signIn(gone, passkey.signIn(gone.body))).toMatchObject(REFUSED);
  });

  it("are renamed and removed by their owner only, and are nothing of an API key", async () => {
    const eve = await access.join("eve", ["viewer"]);
    const [row] = await access.db.query<{ id: number }>(
      `insert into passkeys (user_id, name, public_key, credential_id, counter, device_type, backed_up)
       values ($1, 'Key', 'k', 'c', 0, 'singleDevice', false) returning id`,
      [access.owner.id],
    );
    const rename = (cookie: string) =>
      access.call("PUT", `account/passkeys/${row?.id}`, { cookie, body: { name: "Mine" } });
    expect((await rename(eve.cookie)).status).toBe(404);
    const removed = await access.call("POST", `account/passkeys/${row?.id}/remove`, {
      cookie: eve.cookie,
      body: { password: PASSWORD },
    });
    expect(removed.status).toBe(404);
    expect((await rename(access.owner.cookie)).status).toBe(204);
  });
});
