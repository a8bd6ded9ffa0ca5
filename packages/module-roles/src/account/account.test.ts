import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PASSWORD, type Person, startAccess, type TestAccess } from "../testing/start-access.ts";

const NEW = "another long passphrase";

describe("one's own account", () => {
  let access: TestAccess;
  beforeAll(async () => {
    access = await startAccess();
  });
  afterAll(() => access.stop());

  const signIn = (email: string, password: string) =>
    access.call("POST", "auth/sign-in/email", { body: { email, password }, headers: { "user-agent": "Test/1" } });
  const isIn = async (cookie: string) => (await access.call("GET", "session", { cookie })).status === 200;

  it("takes a new password only with the old one, and ends the other sessions", async () => {
    const { email, cookie }: Person = await access.join("pia", ["viewer"]);
    const other = (await signIn(email, PASSWORD)).cookie;
    const change = (currentPassword: string) =>
      access.call("POST", "account/password", { cookie, body: { currentPassword, newPassword: NEW } });
    expect(await change("wrong password")).toMatchObject({
      status: 400,
      body: { error: { code: "PASSWORD_WRONG", path: "$.currentPassword" } },
    });
    expect(await isIn(other)).toBe(true);
    const changed = await change(PASSWORD);
    expect(changed.status).toBe(204);
    expect(await isIn(other)).toBe(false);
    expect(await isIn(changed.cookie)).toBe(true);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await signIn(email, NEW)).status).toBe(200);
  });

  it("lists where one is signed in, and ends one of them, or all others; nobody else's", async () => {
    const quin = await access.join("quin", ["viewer"]);
    const second = (await signIn(quin.email, PASSWORD)).cookie;
    const third = (await signIn(quin.email, PASSWORD)).cookie;
    const { body } = await access.call("GET", "account/sessions", { cookie: second });
    expect(body).toHaveLength(3);
    expect(body.filter(({ current }: { current: boolean }) => current)).toMatchObject([{ userAgent: "Test/1" }]);
    expect(JSON.stringify(body)).not.toContain(second.split("=")[1]?.split(".")[0]);
    const foreign = await access.call("DELETE", `account/sessions/${body[0].id}`, { cookie: access.owner.cookie });
    expect(foreign.status).toBe(404);
    const thirdId = body[0].id;
    expect((await access.call("DELETE", `account/sessions/${thirdId}`, { cookie: second })).status).toBe(204);
    expect(await isIn(third)).toBe(false);
    expect((await access.call("POST", "account/sessions/end-others", { cookie: second, body: {} })).status).toBe(204);
    expect([await isIn(quin.cookie), await isIn(second)]).toEqual([false, true]);
  });

  it("is nothing an API key has", async () => {
    const { cookie } = access.owner;
    const { key } = (await access.call("POST", "api-keys", { cookie, body: { name: "k", permissions: ["*"] } })).body;
    const body = { currentPassword: PASSWORD, newPassword: NEW };
    expect((await access.call("POST", "account/password", { key, body })).body.error.code).toBe("NOT_CALLABLE");
    expect((await access.call("GET", "account/sessions", { key })).body).toEqual([]);
    expect((await access.call("POST", "account/sessions/end-others", { key, body: {} })).status).toBe(400);
  });

  it.each([
    ["POST", "api-key/create"],
    ["POST", "api-key/update"],
    ["GET", "api-key/list"],
    ["POST", "change-password"],
    ["POST", "update-user"],
    ["POST", "delete-user"],
    ["POST", "change-email"],
    ["POST", "set-password"],
    ["POST", "link-social"],
    ["POST", "request-password-reset"],
    ["POST", "reset-password"],
    ["GET", "list-sessions"],
    ["POST", "sign-up/email"],
    ["POST", "sign-in/../api-key/create"],
    ["POST", "sign-in/email/"],
  ])("is not served around our permissions by better-auth: %s auth/%s", async (method, path) => {
    const answer = await access.call(method, `auth/${path}`, {
      cookie: access.owner.cookie,
      ...(method === "GET" ? {} : { body: {} }),
    });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } });
  });
});
