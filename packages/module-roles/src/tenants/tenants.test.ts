import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PASSWORD, startAccess, type TestAccess } from "../testing/start-access.ts";

describe("tenants", () => {
  let access: TestAccess;
  let cookie: string;
  beforeAll(async () => {
    access = await startAccess();
    cookie = access.owner.cookie;
  });
  afterAll(() => access.stop());

  const make = (name: string, ownerEmail: string, as = cookie) =>
    access.call("POST", "tenants", { cookie: as, body: { name, ownerEmail } });
  const tokenOf = (link: string) => new URL(link).searchParams.get("token");

  /** A new tenant with its owner, signed in. */
  async function found(name: string): Promise<{ id: number; cookie: string; email: string }> {
    const email = `${name}@example.com`;
    const { body } = await make(name, email);
    const joined = await access.call("POST", "invitations/accept", {
      body: { token: tokenOf(body.link), name, password: PASSWORD },
    });
    return { id: body.id, cookie: joined.cookie, email };
  }

  it("begin with an owner's invitation, and see nothing of each other", async () => {
    const acme = await found("acme");
    expect(acme.id).toBeGreaterThan(1);
    const session = await access.call("GET", "session", { cookie: acme.cookie });
    expect(session.body).toMatchObject({ tenantId: acme.id, permissions: ["*"], user: { email: acme.email } });
    const people = await access.call("GET", "users", { cookie: acme.cookie });
    expect(people.body.map(({ email }: { email: string }) => email)).toEqual([acme.email]);
    expect(
      (await access.call("GET", "users", { cookie })).body.map((user: { email: string }) => user.email),
    ).not.toContain(acme.email);
  });

  it("are listed, renamed and made by the first one only", async () => {
    const other = await found("other");
    expect((await access.call("GET", "tenants", { cookie })).body).toContainEqual(
      expect.objectContaining({ id: 1, name: "First tenant", disabled: false }),
    );
    expect((await access.call("GET", "tenants", { cookie: other.cookie })).body).toEqual([]);
    expect((await access.call("GET", `tenants/${other.id}`, { cookie: other.cookie })).status).toBe(404);
    expect((await make("third", "third@example.com", other.cookie)).body.error.code).toBe("FORBIDDEN");
    const rename = { body: { name: "Mine" } };
    expect((await access.call("PUT", "tenants/1", { cookie: other.cookie, ...rename })).status).toBe(404);
    const renamed = await access.call("PUT", `tenants/${other.id}`, { cookie, body: { name: "Other Ltd" } });
    expect(renamed.body).toMatchObject({ id: other.id, name: "Other Ltd" });
  });

  it("are made by those who may make owners, under a new name, for a new address; else nothing is made", async () => {
    const admin = await access.join("adam", ["admin"]);
    const refused = await make("climb", "climb@example.com", admin.cookie);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
    await found("twice");
    expect((await make("twice", "again@example.com")).body.error.code).toBe("TENANT_EXISTS");
    expect((await make("fresh", access.owner.email)).body.error.code).toBe("USER_EXISTS");
    const names = (await access.call("GET", "tenants", { cookie })).body.map(({ name }: { name: string }) => name);
    expect(names).not.toContain("climb");
    expect(names).not.toContain("fresh");
  });

  it("disabled, keep their people and keys out at once, also who was just invited; enabled, let them in again", async () => {
    const { id, cookie: theirs, email } = await found("closed");
    const key = (
      await access.call("POST", "api-keys", { cookie: theirs, body: { name: "k", permissions: ["users.read"] } })
    ).body.key;
    const invited = await access.call("POST", "invitations", {
      cookie: theirs,
      body: { email: "late@example.com", roles: ["viewer"] },
    });
    const late = { token: tokenOf(invited.body.link), name: "Late", password: PASSWORD };
    const signIn = () => access.call("POST", "auth/sign-in/email", { body: { email, password: PASSWORD } });
    const disable = (disabled: boolean) => access.call("PUT", `tenants/${id}`, { cookie, body: { disabled } });

    expect((await disable(true)).body.disabled).toBe(true);
    expect((await access.call("GET", "session", { cookie: theirs })).status).toBe(401);
    expect((await access.call("GET", "users", { key })).status).toBe(401);
    expect((await signIn()).status).toBe(403);
    expect((await access.call("POST", "invitations/accept", { body: late })).status).toBe(403);

    expect((await disable(false)).body.disabled).toBe(false);
    expect((await signIn()).status).toBe(200);
    await expect.poll(async () => (await access.call("GET", "users", { key })).status).toBe(200);
    expect((await access.call("POST", "invitations/accept", { body: late })).status).toBe(201);
  });

  it("the first one cannot be disabled", async () => {
    const answer = await access.call("PUT", "tenants/1", { cookie, body: { disabled: true } });
    expect(answer).toMatchObject({ status: 422, body: { error: { code: "TENANT_IS_FIRST" } } });
  });
});
