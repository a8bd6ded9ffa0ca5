import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { PASSWORD, startAccess, type TestAccess } from "../testing/start-access.ts";

describe("users", () => {
  let access: TestAccess;
  beforeAll(async () => {
    access = await startAccess();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => access.stop());

  const put = (cookie: string, id: number, body: object) => access.call("PUT", `users/${id}`, { cookie, body });

  it("lists who belongs to the tenant, with roles and search", async () => {
    const vera = await access.join("vera", ["viewer", "reviewer"]);
    const { cookie } = access.owner;
    const found = await access.call("GET", 'users?filter={"q":"vera"}', { cookie });
    expect(found.body).toMatchObject([{ id: vera.id, roles: ["reviewer", "viewer"], disabled: false }]);
    expect(found.headers.get("content-range")).toBe("users 0-0/1");
    expect((await access.call("GET", `users/${vera.id}`, { cookie })).body).toMatchObject({
      email: "vera@example.com",
      lastSignInAt: expect.any(String),
    });
    await access.db.query("update users set tenant_id = 2 where id = $1", [vera.id]);
    for (const [method, path] of [
      ["GET", `users/${vera.id}`],
      ["PUT", `users/${vera.id}`],
      ["DELETE", `users/${vera.id}`],
      ["POST", `users/${vera.id}/sign-out`],
    ] as const)
      expect((await access.call(method, path, { cookie, body: {} })).status, method).toBe(404);
    expect((await access.call("GET", 'users?filter={"q":"vera"}', { cookie })).body).toEqual([]);
  });

  it("tells which names people take for each other, of one tenant", async () => {
    const twin = await access.join("twin", ["viewer"]);
    const other = await access.join("other-twin", ["viewer"]);
    const { cookie } = access.owner;
    await put(cookie, twin.id, { name: "Alice" });
    await put(cookie, other.id, { name: "\u0410lice" });
    const groups = (await access.call("GET", "user-lookalikes", { cookie })).body;
    expect(groups.map((names: string[]) => names.toSorted())).toEqual([["Alice", "\u0410lice"]]);
    expect((await access.call("GET", "user-lookalikes", { cookie: twin.cookie })).status).toBe(403);
    await access.db.query("update users set tenant_id = 2 where id = $1", [other.id]);
    expect((await access.call("GET", "user-lookalikes", { cookie })).body).toEqual([]);
  });

  it("takes the whole row back, and ignores what cannot be changed", async () => {
    const rita = await access.join("rita", ["viewer"]);
    const { cookie } = access.owner;
    const { body } = await access.call("GET", `users/${rita.id}`, { cookie });
    const changed = await put(cookie, rita.id, { ...body, name: "Rita R.", email: "evil@example.com" });
    expect(changed).toMatchObject({ status: 200, body: { name: "Rita R.", email: "rita@example.com" } });
    expect((await put(cookie, rita.id, { tenantId: 2 })).status).toBe(400);
  });

  it("lets people grant only what they hold, and take from no one above them", async () => {
    const admin = await access.join("adam", ["admin"]);
    const editor = await access.join("edda", ["editor"]);
    expect(await put(admin.cookie, editor.id, { roles: ["owner"] })).toMatchObject({
      status: 403,
      body: { error: { code: "FORBIDDEN", path: "$.roles" } },
    });
    for (const change of [{ roles: ["viewer"] }, { disabled: true }])
      expect((await put(admin.cookie, access.owner.id, change)).status).toBe(403);
    expect((await access.call("DELETE", `users/${access.owner.id}`, { cookie: admin.cookie })).status).toBe(403);
    expect((await access.call("POST", `users/${access.owner.id}/sign-out`, { cookie: admin.cookie })).status).toBe(403);
    expect((await put(admin.cookie, editor.id, { roles: ["operator"] })).body.roles).toEqual(["operator"]);
    expect((await put(editor.cookie, editor.id, { roles: ["admin"] })).status).toBe(403);
    expect(await put(admin.cookie, editor.id, { roles: ["no-such-role"] })).toMatchObject({
      status: 422,
      body: { error: { code: "ROLE_UNKNOWN" } },
    });
  });

  it("keeps the last owner, also of two who demote each other at once", async () => {
    const { owner } = access;
    for (const change of [{ roles: ["admin"] }, { roles: [] }, { disabled: true }])
      expect(await put(owner.cookie, owner.id, change)).toMatchObject({
        status: 409,
        body: { error: { code: "LAST_OWNER" } },
      });
    expect((await access.call("DELETE", `users/${owner.id}`, { cookie: owner.cookie })).status).toBe(409);
    const second = await access.join("otto", ["owner"]);
    const both = await Promise.all([
      put(owner.cookie, second.id, { roles: ["admin"] }),
      put(second.cookie, owner.id, { roles: ["admin"] }),
    ]);
    expect(both.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const owners = await access.db.query("select user_id from user_roles where role = 'owner'");
    expect(owners).toHaveLength(1);
    // Back to the first, for the tests after this one.
    await access.db.query("update user_roles set role = 'owner' where user_id = $1", [owner.id]);
  });

  it("stops a disabled user's sessions at once and their keys within a second, and lets them in again", async () => {
    const { cookie } = access.owner;
    const dora = await access.join("dora", ["admin"]);
    const { key } = (
      await access.call("POST", "api-keys", { cookie: dora.cookie, body: { name: "k", permissions: ["*"] } })
    ).body;
    expect((await access.call("GET", "things", { key })).status).toBe(200);
    expect((await put(cookie, dora.id, { disabled: true })).body.disabled).toBe(true);
    expect((await access.call("GET", "session", { cookie: dora.cookie })).status).toBe(401);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_001 });
    expect((await access.call("GET", "things", { key })).status).toBe(401);
    const signIn = { body: { email: dora.email, password: PASSWORD } };
    expect((await access.call("POST", "auth/sign-in/email", signIn)).status).toBe(403);
    await put(cookie, dora.id, { disabled: false });
    expect((await access.call("POST", "auth/sign-in/email", signIn)).status).toBe(200);
  });

  it("removes a user with their sessions and keys", async () => {
    const finn = await access.join("finn", ["admin"]);
    const { key } = (
      await access.call("POST", "api-keys", { cookie: finn.cookie, body: { name: "k", permissions: ["*"] } })
    ).body;
    expect((await access.call("DELETE", `users/${finn.id}`, { cookie: access.owner.cookie })).status).toBe(204);
    expect((await access.call("GET", "session", { cookie: finn.cookie })).status).toBe(401);
    expect((await access.call("GET", "session", { key })).status).toBe(401);
    expect(await access.db.query("select id from api_keys where reference_id = $1::text", [finn.id])).toEqual([]);
  });

  it("ends every session of a user on request", async () => {
    const gina = await access.join("gina", ["viewer"]);
    expect(
      (await access.call("POST", `users/${gina.id}/sign-out`, { cookie: access.owner.cookie, body: {} })).status,
    ).toBe(204);
    expect((await access.call("GET", "session", { cookie: gina.cookie })).status).toBe(401);
  });
});
