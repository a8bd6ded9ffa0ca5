import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startAccess, type TestAccess } from "../testing/start-access.ts";

describe("API keys", () => {
  let access: TestAccess;
  let cookie: string;
  beforeAll(async () => {
    access = await startAccess();
    cookie = access.owner.cookie;
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => access.stop());

  const make = (body: object, as: { cookie?: string; key?: string } = { cookie }) =>
    access.call("POST", "api-keys", { ...as, body: { name: "k", ...body } });
  const later = () => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_001 });

  it("can do what their maker can now: what the maker loses they lose within a second", async () => {
    const ed = await access.join("ed", ["editor", "admin"]);
    const { key } = (await make({ permissions: ["*"] }, { cookie: ed.cookie })).body;
    const change = () => access.call("PUT", "things/1", { key, body: {} });
    expect((await change()).status).toBe(200);
    await access.call("PUT", `users/${ed.id}`, { cookie, body: { roles: ["viewer"] } });
    later();
    expect((await change()).status).toBe(403);
    expect((await access.call("GET", "things", { key })).status).toBe(200);
    expect((await access.call("GET", "session", { key })).body.permissions).toContain("things.read");
    expect((await access.call("GET", "session", { key })).body.permissions).not.toContain("*");
  });

  it("hand on no more than they hold, whoever owns them", async () => {
    const { key } = (await make({ permissions: ["api-keys.create", "things.read"] })).body;
    expect((await make({ permissions: ["*"] }, { key })).status).toBe(403);
    expect((await make({ permissions: ["things.*"] }, { key })).status).toBe(403);
    expect((await make({ permissions: ["things.read"] }, { key })).status).toBe(201);
    const adam = await access.join("adam", ["admin"]);
    expect((await make({ permissions: ["nothing.read"] }, { cookie: adam.cookie })).status).toBe(403);
  });

  it("bound to workflows reach what keeps to workflows, and nothing else", async () => {
    const bound = await make({ permissions: ["*"], workflows: ["workflow:12"] });
    expect(bound.body.workflows).toEqual(["workflow:12"]);
    const { key } = bound.body;
    expect((await access.call("POST", "workflows/12/execute", { key, body: {} })).status).toBe(204);
    for (const path of ["things", "users", "api-keys", "audit-log"])
      expect(await access.call("GET", path, { key })).toMatchObject({
        status: 403,
        body: { error: { code: "FORBIDDEN", details: { workflows: ["workflow:12"] } } },
      });
    expect((await access.call("GET", "session", { key })).status).toBe(200);
    expect((await make({ permissions: ["*"], workflows: ["things:1"] })).status).toBe(400);
    expect((await make({ permissions: ["*"], workflows: [] })).status).toBe(400);
  });

  it("stop at their time, and say when and from where they were used", async () => {
    const { key, id } = (await make({ permissions: ["*"], expiresInDays: 1 })).body;
    await access.call("GET", "things", { key, address: "9.9.9.9" });
    await access.call("GET", "things", { key, address: "9.9.9.9" });
    await vi.waitFor(async () => {
      const rows = (await access.audited()).filter(
        ({ action, key_id }) => action === "api-key.new-address" && key_id === id,
      );
      expect(rows).toMatchObject([{ address: "9.9.9.9", user_id: access.owner.id, target_id: String(id) }]);
    }, 120_000);
    await access.db.query("update api_keys set expires_at = now() where id = $1", [id]);
    later();
    expect((await access.call("GET", "things", { key })).status).toBe(401);
  });

  it("are a hundred at most for one user", async () => {
    const max = await access.join("max", ["admin"]);
    await access.db.query(
      "insert into api_keys (tenant_id, key, reference_id) select 1, 'many' || n, $1::text from generate_series(1, 100) n",
      [max.id],
    );
    expect(await make({ permissions: ["things.read"] }, { cookie: max.cookie })).toMatchObject({
      status: 409,
      body: { error: { code: "TOO_MANY_KEYS" } },
    });
  });
});
