import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PASSWORD, startAccess, type TestAccess } from "../testing/start-access.ts";
import { AuditLog } from "./audit-log.ts";

const CANARY = "canary-9f8e7d6c5b4a";

describe("the audit log", () => {
  let access: TestAccess;
  let cookie: string;
  beforeAll(async () => {
    access = await startAccess();
    cookie = access.owner.cookie;
  });
  afterAll(() => access.stop());

  const last = async () => (await access.audited()).at(-1);
  const list = (query: string) => access.call("GET", `audit-log?${query}`, { cookie });

  it("says who did what to what, from where and with what outcome, for every change", async () => {
    const headers = { "user-agent": "Test/1" };
    await access.call("PUT", "things/7", { cookie, body: { secret: CANARY }, address: "1.2.3.4", headers });
    const done = await last();
    expect(done).toMatchObject({
      action: "PUT things/[id]",
      outcome: "done",
      status: 200,
      actor_kind: "user",
      user_id: access.owner.id,
      key_id: null,
      target_type: "things",
      target_id: "7",
      target_version: 4,
      address: "1.2.3.4",
    });
    const { key, id } = (
      await access.call("POST", "api-keys", { cookie, body: { name: "k", permissions: ["things.*"] } })
    ).body;
    expect(await last()).toMatchObject({ action: "POST api-keys", target_id: String(id) });
    await access.call("PUT", "things/7", { key, body: { secret: CANARY } });
    expect(await last()).toMatchObject({
      actor_kind: "api-key",
      key_id: id,
      user_id: access.owner.id,
      argument_digest: done?.argument_digest,
    });
    await access.call("PUT", "things/8", { key, body: { secret: "other" } });
    expect((await last())?.argument_digest).not.toBe(done?.argument_digest);
  });

  it("has what was refused and what failed, and nothing that was only read", async () => {
    const vic = await access.join("vic", ["viewer"]);
    await access.call("PUT", "things/1", { cookie: vic.cookie, body: {} });
    expect(await last()).toMatchObject({ outcome: "refused", status: 403, error_code: "FORBIDDEN", user_id: vic.id });
    await access.call("PUT", "things/broken", { cookie, body: {} });
    expect(await last()).toMatchObject({ outcome: "failed", status: 500, error_code: "INTERNAL" });
    const before = (await access.audited()).length;
    await access.call("GET", "things", { cookie });
    expect(await access.audited()).toHaveLength(before);
  });

  it("has sign-ins, also failed ones, and keeps nothing that was typed for an unknown account", async () => {
    const signIn = (email: string, password: string) =>
      access.call("POST", "auth/sign-in/email", { body: { email, password }, address: "5.5.5.5" });
    await signIn("olga@example.com", "wrong");
    expect(await last()).toMatchObject({
      action: "sign-in",
      outcome: "refused",
      status: 401,
      actor_kind: "nobody",
      target_id: String(access.owner.id),
      address: "5.5.5.5",
    });
    await signIn("olga@example.com", PASSWORD);
    expect(await last()).toMatchObject({ action: "sign-in", outcome: "done", user_id: access.owner.id });
    await signIn(CANARY, PASSWORD);
    expect(await last()).toMatchObject({ action: "sign-in", outcome: "refused", target_id: null });
    expect((await access.audited()).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["setup", "invitation.accept"]),
    );
  });

  it("holds no secret that went through", async () => {
    const { key } = (await access.call("POST", "api-keys", { cookie, body: { name: "k", permissions: ["*"] } })).body;
    await access.call("POST", "account/password", { cookie, body: { currentPassword: CANARY, newPassword: CANARY } });
    const text = JSON.stringify(await access.db.query("select * from audit_log"));
    for (const secret of [CANARY, PASSWORD, key, cookie.split("=")[1]]) expect(text).not.toContain(secret);
  });

  it.each([["update audit_log set outcome = 'done'"], ["delete from audit_log"], ["truncate audit_log"]])(
    "refuses: %s",
    async (statement) => {
      const before = await access.audited();
      await expect(access.db.query(statement)).rejects.toThrow(/append-only/);
      expect(await access.audited()).toEqual(before);
    },
  );

  it("is listed newest first, filtered and searched, for its tenant, to who may see it", async () => {
    const { body, headers } = await list("range=[0,1]");
    expect(body[0].id).toBeGreaterThan(body[1].id);
    expect(headers.get("content-range")).toMatch(/^audit-log 0-1\/\d+$/);
    const refused = await list(`filter=${encodeURIComponent('{"outcome":"refused","actorKind":"user"}')}`);
    expect(refused.body.length).toBeGreaterThan(0);
    expect(refused.body.every(({ outcome }: { outcome: string }) => outcome === "refused")).toBe(true);
    expect((await list(`filter=${encodeURIComponent('{"from":"2100-01-01T00:00:00Z"}')}`)).body).toEqual([]);
    expect((await list(`filter=${encodeURIComponent('{"to":"yesterday"}')}`)).status).toBe(400);
    expect((await list(`filter=${encodeURIComponent('{"argumentDigest":"x"}')}`)).status).toBe(400);
    await access.db.query(
      "insert into audit_log (tenant_id, action, outcome, actor_kind) values (2, 'of another tenant', 'done', 'user')",
    );
    expect((await list(`filter=${encodeURIComponent('{"action":"of another tenant"}')}`)).body).toEqual([]);
    const una = await access.join("una", ["editor"]);
    expect((await access.call("GET", "audit-log", { cookie: una.cookie })).status).toBe(403);
    const aud = await access.join("aud", ["auditor"]);
    expect((await access.call("GET", "audit-log", { cookie: aud.cookie })).status).toBe(200);
  });

  it("is exported as CSV that no spreadsheet executes, and as JSON; the export is itself written down", async () => {
    await access.call("PUT", "things/9", {
      cookie,
      body: {},
      headers: { "user-agent": '=HYPERLINK("http://evil"),x' },
    });
    const csv = await access.call("GET", "audit-log/export?format=csv", { cookie });
    expect(csv.headers.get("content-disposition")).toContain("audit-log.csv");
    const lines = String(csv.body).split("\r\n");
    expect(lines[0]).toMatch(/^id,at,tenantId,action,/);
    expect(csv.body).toContain(`"'=HYPERLINK(""http://evil""),x"`);
    const json = await access.call("GET", "audit-log/export?format=json", { cookie });
    expect(json.body).toHaveLength(lines.length - 1);
    expect(await last()).toMatchObject({ action: "GET audit-log/export", outcome: "done" });
    const none = `audit-log/export?format=json&filter=${encodeURIComponent('{"action":"none"}')}`;
    expect((await access.call("GET", none, { cookie })).body).toEqual([]);
    expect((await access.call("GET", 'audit-log/export?format=csv&filter={"x":1}', { cookie })).status).toBe(400);
  });

  it("takes texts that the database cannot keep, and loses no other row to one that it refuses", async () => {
    const log = new AuditLog(access.db, "s".repeat(32));
    const row = {
      tenantId: 1,
      action: "odd",
      outcome: "done" as const,
      status: null,
      errorCode: null,
      actorKind: "system" as const,
      userId: null,
      keyId: null,
      targetType: null,
      targetId: "a\0b\ud800",
      targetVersion: 2 ** 40,
      address: null,
      userAgent: null,
    };
    const silenced = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await Promise.all([
      log.record({ ...row, action: "first" }),
      log.record({ ...row, action: "second" }),
      // What no router writes: beyond the column's range.
      log.record({ ...row, action: "impossible", tenantId: 2 ** 40 }),
      log.record({ ...row, action: "third" }),
    ]);
    expect(silenced).toHaveBeenCalledOnce();
    silenced.mockRestore();
    const rows = (await access.audited()).filter(({ target_id }) => target_id === "a\ufffdb\ufffd");
    expect(rows.map(({ action }) => action)).toEqual(["first", "second", "third"]);
  });
});
