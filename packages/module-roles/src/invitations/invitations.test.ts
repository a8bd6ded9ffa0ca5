import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PASSWORD, startAccess, type TestAccess } from "../testing/start-access.ts";

describe("invitations", () => {
  let access: TestAccess;
  let cookie: string;
  beforeAll(async () => {
    access = await startAccess();
    cookie = access.owner.cookie;
  });
  afterAll(() => access.stop());

  async function invite(email: string, roles = ["viewer"]): Promise<{ id: number; token: string }> {
    const { body } = await access.call("POST", "invitations", { cookie, body: { email, roles } });
    return { id: body.id, token: new URL(body.link).searchParams.get("token") ?? "" };
  }
  const accept = (token: unknown) =>
    access.call("POST", "invitations/accept", { body: { token, name: "New", password: PASSWORD } });

  it("make a user with the given roles, signed in, once; the link is shown once and kept as a hash", async () => {
    const { id, token } = await invite("Ivy@Example.com", ["operator", "auditor"]);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const [row] = await access.db.query("select * from invitations where id = $1", [id]);
    expect(JSON.stringify(row)).not.toContain(token);
    expect(row?.token_hash).toBe(createHash("sha256").update(token).digest("hex"));
    expect((await access.call("POST", "invitations/inspect", { body: { token } })).body).toEqual({
      email: "ivy@example.com",
      roles: ["operator", "auditor"],
    });
    const joined = await accept(token);
    expect(joined.status).toBe(201);
    const session = await access.call("GET", "session", { cookie: joined.cookie });
    expect(session.body).toMatchObject({ user: { email: "ivy@example.com" }, tenantId: 1 });
    expect(session.body.permissions).toContain("audit.read");
    expect(await accept(token)).toMatchObject({ status: 403, body: { error: { code: "INVITATION_INVALID" } } });
    const list = await access.call("GET", "invitations", { cookie });
    expect(list.body).toContainEqual(expect.objectContaining({ id, status: "accepted" }));
    expect(JSON.stringify(list.body)).not.toContain(token);
  });

  it("let one of two racers in", async () => {
    const { token } = await invite("race@example.com");
    const both = await Promise.all([accept(token), accept(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403]);
  });

  it.each([
    ["revoked", (id: number) => access.call("DELETE", `invitations/${id}`, { cookie })],
    [
      "eight days old",
      (id: number) => access.db.query("update invitations set expires_at = now() where id = $1", [id]),
    ],
    ["replaced by a newer one", () => invite("gone@example.com")],
    [
      "from somebody who may no longer invite",
      (id: number) => access.db.query("update invitations set invited_by = null where id = $1", [id]),
    ],
  ])("stop working when %s", async (_when, spoil) => {
    const { id, token } = await invite("gone@example.com");
    await spoil(id);
    expect((await accept(token)).status).toBe(403);
    expect(await access.db.query("select id from users where email = 'gone@example.com'")).toEqual([]);
  });

  it("are good for seven days", async () => {
    const { id } = await invite("week@example.com");
    const [row] = await access.db.query(
      "select expires_at - created_at = interval '7 days' as week from invitations where id = $1",
      [id],
    );
    expect(row?.week).toBe(true);
  });

  it.each([[""], [null], [undefined], [[]], ["x".repeat(43)], [{}]])("take no %j for a token", async (token) => {
    expect([400, 403]).toContain((await accept(token)).status);
  });

  it("give no more than the inviter still has when the link is used", async () => {
    const ann = await access.join("ann", ["admin"]);
    const invited = await access.call("POST", "invitations", {
      cookie: ann.cookie,
      body: { email: "late@example.com", roles: ["editor"] },
    });
    await access.call("PUT", `users/${ann.id}`, { cookie, body: { roles: ["viewer"] } });
    expect((await accept(new URL(invited.body.link).searchParams.get("token"))).status).toBe(403);
  });

  it("refuse an address that is a user already, and another tenant's rows", async () => {
    expect(
      await access.call("POST", "invitations", { cookie, body: { email: "Olga@example.com", roles: ["viewer"] } }),
    ).toMatchObject({
      status: 409,
      body: { error: { code: "USER_EXISTS" } },
    });
    const { id } = await invite("far@example.com");
    await access.db.query("update invitations set tenant_id = 2 where id = $1", [id]);
    expect((await access.call("DELETE", `invitations/${id}`, { cookie })).status).toBe(404);
  });
});
