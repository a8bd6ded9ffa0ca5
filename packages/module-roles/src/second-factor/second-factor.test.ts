import { createTestPglite } from "@oven/db/testing";
import { appCode } from "@oven/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answer, PASSWORD, type Person, startAccess, type TestAccess } from "../testing/start-access.ts";

let access: TestAccess;
beforeAll(async () => {
  access = await startAccess();
});
afterAll(() => access.stop());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The next code of an app: each is good once. */
function nextCode(secret: string): string {
  vi.setSystemTime(Date.now() + 30_000);
  return appCode(secret, Date.now());
}

const signIn = (email: string, password = PASSWORD, address?: string) =>
  access.call("POST", "auth/sign-in/email", { body: { email, password }, ...(address && { address }) });
const sendCode = (challenge: string, code: unknown, address?: string) =>
  access.call("POST", "auth/sign-in/code", { cookie: challenge, body: { code }, ...(address && { address }) });
const sessionIn = ({ cookie }: Answer) => /oven\.session_token=([^;]+)/.exec(cookie)?.[1] ?? "";
const isIn = async (cookie: string) => (await access.call("GET", "session", { cookie })).status === 200;

interface Enrolled extends Person {
  secret: string;
  recoveryCodes: string[];
}

/** Sets an app up for somebody who is signed in. */
async function enrol(person: Person): Promise<Enrolled> {
  const start = await access.call("POST", "account/second-factor/start", {
    cookie: person.cookie,
    body: { password: PASSWORD },
  });
  expect(start.status, JSON.stringify(start.body)).toBe(200);
  const { secret } = start.body;
  const confirmed = await access.call("POST", "account/second-factor/confirm", {
    cookie: person.cookie,
    body: { code: nextCode(secret) },
  });
  expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200);
  return { ...person, cookie: confirmed.cookie, secret, recoveryCodes: confirmed.body.recoveryCodes };
}

describe("an authenticator app", () => {
  it("is set up with the password and a first code; then all other sessions end", async () => {
    const ada = await access.join("ada", ["viewer"]);
    const other = (await signIn(ada.email)).cookie;
    const start = (body: object) => access.call("POST", "account/second-factor/start", { cookie: ada.cookie, body });
    expect(await start({})).toMatchObject({ status: 400, body: { error: { code: "PASSWORD_WRONG" } } });
    expect((await start({ password: "wrong password" })).status).toBe(400);
    const { body } = await start({ password: PASSWORD });
    expect(body.uri).toMatch(/^otpauth:\/\/totp\/OVEN:ada%40example\.com\?secret=[A-Z2-7]{32,}&issuer=OVEN/);
    const confirm = (code: string) =>
      access.call("POST", "account/second-factor/confirm", { cookie: ada.cookie, body: { code } });
    // Until then signing in asks for no code.
    expect(sessionIn(await signIn(ada.email))).not.toBe("");
    expect(await confirm("000000")).toMatchObject({ status: 400, body: { error: { code: "SECOND_FACTOR_WRONG" } } });
    const confirmed = await confirm(nextCode(body.secret));
    expect(confirmed).toMatchObject({ status: 200, body: { recoveryCodes: expect.any(Array) } });
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10);
    expect([await isIn(other), await isIn(ada.cookie), await isIn(confirmed.cookie)]).toEqual([false, false, true]);
    const state = await access.call("GET", "account/second-factor", { cookie: confirmed.cookie });
    expect(state.body).toEqual({
      app: true,
      recoveryCodesLeft: 10,
      password: true,
      demanded: false,
      session: true,
    });
  });

  it("is asked for before there is a session, and what there is before opens nothing", async () => {
    const bea = await enrol(await access.join("bea", ["viewer"]));
    const first = await signIn(bea.email);
    expect(first).toMatchObject({ status: 200, body: { twoFactorRedirect: true } });
    expect([sessionIn(first), first.cookie.includes("oven.device=")]).toEqual(["", false]);
    expect(await isIn(first.cookie)).toBe(false);
    const [row] = await access.db.query<{ count: number }>(
      "select count(*)::int as count from sessions where user_id = $1",
      [bea.id],
    );
    expect(row?.count).toBe(1);
    for (const code of ["000000", "", "x".repeat(300), null])
      expect((await sendCode(first.cookie, code)).status).toBe(401);
    const again = await signIn(bea.email);
    const second = await sendCode(again.cookie, nextCode(bea.secret));
    expect(second.status).toBe(200);
    expect(await isIn(second.cookie)).toBe(true);
    expect(second.cookie).toContain("oven.device=");
    // The challenge is used up.
    expect((await sendCode(again.cookie, nextCode(bea.secret))).status).toBe(401);
    const actions = (await access.audited()).filter(({ target_id }) => target_id === String(bea.id));
    expect(actions.map(({ action, outcome }) => [action, outcome])).toEqual(
      expect.arrayContaining([
        ["sign-in.password", "done"],
        ["sign-in.code", "refused"],
        ["sign-in.code", "done"],
      ]),
    );
  });

  it("takes each code once, also from two requests at once", async () => {
    const cora = await enrol(await access.join("cora", ["viewer"]));
    const code = nextCode(cora.secret);
    const challenges = [await signIn(cora.email), await signIn(cora.email)];
    const both = await Promise.all(challenges.map(({ cookie }) => sendCode(cookie, code)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it("takes each recovery code once, and tells how many are left", async () => {
    const dora = await enrol(await access.join("dora", ["viewer"]));
    const [code = "", other = ""] = dora.recoveryCodes;
    const use = async (typed: string) => sendCode((await signIn(dora.email)).cookie, typed);
    const used = await use(` ${code} `);
    expect(used.status).toBe(200);
    expect((await use(code)).status).toBe(401);
    const left = await access.call("GET", "account/second-factor", { cookie: used.cookie });
    expect(left.body.recoveryCodesLeft).toBe(9);
    const challenges = [await signIn(dora.email), await signIn(dora.email)];
    const both = await Promise.all(challenges.map(({ cookie }) => sendCode(cookie, other)));
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    // New ones take password and code, and replace the others.
    const anew = (body: object) =>
      access.call("POST", "account/second-factor/recovery-codes", { cookie: used.cookie, body });
    expect((await anew({ password: PASSWORD })).status).toBe(400);
    const made = await anew({ password: PASSWORD, code: nextCode(dora.secret) });
    expect(made.body.recoveryCodes).toHaveLength(10);
    expect((await use(dora.recoveryCodes[2] ?? "")).status).toBe(401);
    expect((await use(made.body.recoveryCodes[0])).status).toBe(200);
  });

  it("is stored so that a copy of the database is of no use", async () => {
    const ella = await enrol(await access.join("ella", ["viewer"]));
    const [row] = await access.db.query<{ secret: string; backup_codes: string; tenant_id: number }>(
      "select secret, backup_codes, tenant_id from two_factors where user_id = $1",
      [ella.id],
    );
    const stored = JSON.stringify(row);
    expect(row?.tenant_id).toBe(1);
    expect(row?.secret).toMatch(/^\$ba\$\d+\$[0-9a-f]+$/);
    for (const code of ella.recoveryCodes) expect(stored).not.toContain(code);
    expect(stored).not.toContain(ella.secret);
  });

  it("counts wrong codes like wrong passwords", async () => {
    const finn = await enrol(await access.join("finn", ["viewer"]));
    const challenge = (await signIn(finn.email, PASSWORD, "6.6.6.6")).cookie;
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await sendCode(challenge, "000000", "6.6.6.6")).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    // A new challenge from there waits as well, one from elsewhere does not.
    const anew = (await signIn(finn.email, PASSWORD, "6.6.6.6")).cookie;
    expect((await sendCode(anew, appCode(finn.secret, Date.now()), "6.6.6.6")).status).toBe(429);
    const elsewhere = (await signIn(finn.email, PASSWORD, "7.7.7.7")).cookie;
    expect((await sendCode(elsewhere, nextCode(finn.secret), "7.7.7.7")).status).toBe(200);
  });

  it("closes an account for codes after ten wrong ones in a row, from wherever they come", async () => {
    const gail = await enrol(await access.join("gail", ["viewer"]));
    const send = async (code: string, address: string) =>
      sendCode((await signIn(gail.email, PASSWORD, address)).cookie, code, address);
    for (let count = 0; count < 10; count++) expect((await send(`00000${count}`, `9.9.${count}.1`)).status).toBe(401);
    const refused = await send(nextCode(gail.secret), "8.8.8.8");
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "TOO_MANY_ATTEMPTS" } } });
    vi.setSystemTime(Date.now() + 15 * 60_000);
    expect((await send(nextCode(gail.secret), "8.8.4.4")).status).toBe(200);
  });

  it("is turned off with the password and a code only", async () => {
    const gina = await enrol(await access.join("gina", ["viewer"]));
    const turnOff = (body: object) =>
      access.call("POST", "account/second-factor/turn-off", { cookie: gina.cookie, body });
    expect((await turnOff({ password: PASSWORD })).status).toBe(400);
    expect((await turnOff({ code: nextCode(gina.secret) })).status).toBe(400);
    expect((await turnOff({ password: PASSWORD, code: "000000" })).status).toBe(400);
    const off = await turnOff({ password: PASSWORD, code: nextCode(gina.secret) });
    expect(off.status, JSON.stringify(off.body)).toBe(204);
    expect(await isIn(off.cookie)).toBe(true);
    expect(sessionIn(await signIn(gina.email))).not.toBe("");
  });

  it("keeps its session through a new password", async () => {
    const hana = await enrol(await access.join("hana", ["viewer"]));
    const changed = await access.call("POST", "account/password", {
      cookie: hana.cookie,
      body: { currentPassword: PASSWORD, newPassword: "another long passphrase" },
    });
    const state = await access.call("GET", "account/second-factor", { cookie: changed.cookie });
    expect(state.body).toMatchObject({ app: true, session: true });
  });

  it("is reset by an administrator, but not by a person for themselves, nor by those below", async () => {
    const iris = await enrol(await access.join("iris", ["editor"]));
    const reset = (cookie: string, id: number) =>
      access.call("POST", `users/${id}/reset-second-factor`, { cookie, body: {} });
    expect(await reset(access.owner.cookie, access.owner.id)).toMatchObject({
      status: 409,
      body: { error: { code: "OWN_SECOND_FACTOR" } },
    });
    const admin = await access.join("jon", ["admin"]);
    expect((await reset(admin.cookie, access.owner.id)).status).toBe(403);
    expect((await access.call("GET", `users/${iris.id}`, { cookie: admin.cookie })).body.secondFactor).toBe(true);
    expect((await reset(admin.cookie, iris.id)).status).toBe(204);
    expect(await isIn(iris.cookie)).toBe(false);
    const back = await signIn(iris.email);
    expect(await isIn(back.cookie)).toBe(true);
    expect((await access.call("GET", `users/${iris.id}`, { cookie: admin.cookie })).body.secondFactor).toBe(false);
    expect(await access.audited()).toContainEqual(
      expect.objectContaining({
        action: "POST users/[id]/reset-second-factor",
        user_id: admin.id,
        target_id: String(iris.id),
        outcome: "done",
      }),
    );
  });

  it("is nothing an API key has, and its endpoints of better-auth are not served", async () => {
    const { cookie } = access.owner;
    const { key } = (await access.call("POST", "api-keys", { cookie, body: { name: "k", permissions: ["*"] } })).body;
    const started = await access.call("POST", "account/second-factor/start", { key, body: { password: PASSWORD } });
    expect(started.body.error.code).toBe("NOT_CALLABLE");
    for (const path of [
      "enable",
      "disable",
      "verify-totp",
      "verify-backup-code",
      "generate-backup-codes",
      "get-totp-uri",
    ])
      expect((await access.call("POST", `auth/two-factor/${path}`, { cookie, body: {} })).status).toBe(404);
  });
});

describe("a role that demands a second factor", () => {
  const demand = (role: string, required: boolean, cookie = access.owner.cookie) =>
    access
      .call("GET", `roles?filter=${encodeURIComponent(JSON.stringify({ name: role }))}`, {
        cookie: access.owner.cookie,
      })
      .then(({ body }) => access.call("PUT", `roles/${body[0].id}/second-factor`, { cookie, body: { required } }));
  const things = (cookie: string) => access.call("GET", "things", { cookie });
  const REFUSED = { status: 403, body: { error: { code: "SECOND_FACTOR_REQUIRED" } } };
  afterEach(() => demand("operator", false));

  it("closes everything but the set-up, for sessions that there are and for new ones, until there is one", async () => {
    const kai = await access.join("kai", ["operator"]);
    expect((await things(kai.cookie)).status).toBe(200);
    expect(await demand("operator", true)).toMatchObject({ status: 200, body: { requiresSecondFactor: true } });
    const anew = (await signIn(kai.email)).cookie;
    for (const cookie of [kai.cookie, anew]) {
      expect(await things(cookie)).toMatchObject(REFUSED);
      expect(await access.call("GET", "auth/get-session", { cookie })).toMatchObject(REFUSED);
      expect(await access.call("GET", "account/sessions", { cookie })).toMatchObject(REFUSED);
      expect(await access.call("POST", "auth/oauth2/consent", { cookie, body: { accept: true } })).toMatchObject(
        REFUSED,
      );
      expect((await access.call("GET", "session", { cookie })).body).toMatchObject({
        permissions: [],
        secondFactorNeeded: true,
      });
    }
    const enrolled = await enrol({ ...kai, cookie: anew });
    expect((await things(enrolled.cookie)).status).toBe(200);
    expect((await access.call("GET", "session", { cookie: enrolled.cookie })).body.secondFactorNeeded).toBe(false);
    expect((await things(kai.cookie)).status).toBe(401);
    const back = await sendCode((await signIn(kai.email)).cookie, nextCode(enrolled.secret));
    expect((await things(back.cookie)).status).toBe(200);
    // Without the app, the session that turned it off is without one as well.
    const off = await access.call("POST", "account/second-factor/turn-off", {
      cookie: back.cookie,
      body: { password: PASSWORD, code: nextCode(enrolled.secret) },
    });
    expect(await things(off.cookie)).toMatchObject(REFUSED);
  });

  it("leaves keys as they are, and other roles", async () => {
    const lea = await access.join("lea", ["operator"]);
    const mo = await access.join("mo", ["viewer"]);
    const { key } = (
      await access.call("POST", "api-keys", {
        cookie: access.owner.cookie,
        body: { name: "k", permissions: ["things.read"] },
      })
    ).body;
    await demand("operator", true);
    expect((await things(lea.cookie)).status).toBe(403);
    expect((await things(mo.cookie)).status).toBe(200);
    expect((await access.call("GET", "things", { key })).status).toBe(200);
    await demand("operator", false);
    expect((await things(lea.cookie)).status).toBe(200);
  });

  it("is for those to decide who hold all that the role may do, and for their tenant alone", async () => {
    const nils = await access.join("nils", ["admin"]);
    expect((await demand("owner", true, nils.cookie)).status).toBe(403);
    expect((await demand("operator", true, nils.cookie)).status).toBe(200);
    await access.db.query("update role_settings set tenant_id = 2 where role = 'operator'");
    const otto = await access.join("otto", ["operator"]);
    expect((await things(otto.cookie)).status).toBe(200);
    await access.db.query("delete from role_settings");
  });

  it("goes with the role: one that is made anew under its name demands nothing", async () => {
    const make = () =>
      access.call("POST", "roles", {
        cookie: access.owner.cookie,
        body: { name: "mover", title: "Mover", permissions: ["things.read"] },
      });
    const { body } = await make();
    await demand("mover", true);
    expect((await access.call("DELETE", `roles/${body.id}`, { cookie: access.owner.cookie })).status).toBe(204);
    expect((await make()).body.requiresSecondFactor).toBe(false);
  });

  it("does not let the thief of a password set up an app where there is a passkey", async () => {
    const pia = await access.join("pia", ["operator"]);
    await access.db.query(
      `insert into passkeys (user_id, name, public_key, credential_id, counter, device_type, backed_up)
       values ($1, 'Key', 'k', 'c', 0, 'singleDevice', false)`,
      [pia.id],
    );
    const cookie = (await signIn(pia.email)).cookie;
    const body = { password: PASSWORD };
    expect(await access.call("POST", "account/second-factor/start", { cookie, body })).toMatchObject(REFUSED);
    expect(await access.call("POST", "account/passkeys/options", { cookie, body })).toMatchObject(REFUSED);
  });
});

it("takes codes and recovery codes after the secret was changed, and encrypts them with the new one", async () => {
  const db = await createTestPglite();
  const before = access;
  access = await startAccess({ db });
  const rosa = await enrol(await access.join("rosa", ["viewer"]));
  await access.stop();
  const rotated = { db, secret: "n".repeat(32), previousSecrets: ["s".repeat(32)] };
  access = await startAccess(rotated);
  const codeOf = async (code: string) => (await sendCode((await signIn(rosa.email)).cookie, code)).status;
  expect(await codeOf(nextCode(rosa.secret))).toBe(200);
  await access.stop();
  // The one before may go now.
  access = await startAccess({ db, secret: "n".repeat(32) });
  expect(await codeOf(nextCode(rosa.secret))).toBe(200);
  expect(await codeOf(rosa.recoveryCodes[0] ?? "")).toBe(200);
  await access.stop();
  await db.close();
  access = before;
});
