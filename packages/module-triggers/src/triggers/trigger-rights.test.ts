import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTriggers, type TestTriggers } from "./testing/start-triggers.ts";

describe("whoever saves a trigger", () => {
  let server: TestTriggers;
  let target: { kind: string; workflowId: number };
  beforeAll(async () => {
    server = await startTriggers({ now: new Date("2026-11-01T12:00:00Z") });
    target = { kind: "workflow", workflowId: await server.workflow("Any") };
  });
  afterAll(() => server.stop());

  const body = () => ({ type: "manual", name: "Mine", target });
  async function keyWith(permissions: Record<string, string[]>, owner: number): Promise<string> {
    const key = `oven_test_${Math.random().toString(36).slice(2)}`;
    await server.db.query(
      "insert into api_keys (name, key, reference_id, permissions, tenant_id) values ('key', $1, $2::text, $3, 1)",
      [createHash("sha256").update(key).digest("base64url"), owner, JSON.stringify(permissions)],
    );
    return key;
  }
  async function person(): Promise<number> {
    const [user] = await server.db.query<{ id: number }>(
      "insert into users (name, email, tenant_id) values ('P', gen_random_uuid() || '@example.com', 1) returning id",
    );
    await server.db.query("insert into user_roles (user_id, role, tenant_id) values ($1, 'admin', 1)", [user?.id]);
    return user?.id ?? 0;
  }
  const rows = async () => (await server.oven.call("GET", "triggers?range=[0,99]")).body.length;

  it("may start directly what it starts, or it is not saved", async () => {
    const triggers = ["create", "read", "update", "fire"];
    const key = await keyWith({ triggers, workflows: ["read"] }, await person());
    const before = await rows();
    const refused = await server.oven.call("POST", "triggers", body(), { key });
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: "FORBIDDEN", details: { permission: "workflows.execute" } });
    expect(await rows()).toBe(before);
    const { id } = await server.make(body());
    const changed = await server.oven.call("PUT", `triggers/${id}`, { name: "Theirs" }, { key });
    expect(changed.status).toBe(403);
    const enough = await keyWith({ triggers, workflows: ["read", "execute"] }, await person());
    expect((await server.oven.call("POST", "triggers", body(), { key: enough })).status).toBe(201);
  });

  it("lends it the rights they have when it fires, not those they had", async () => {
    const owner = await person();
    const key = await keyWith({ "*": ["*"] }, owner);
    const { body: made } = await server.oven.call("POST", "triggers", body(), { key });
    const fire = async () => (await server.oven.call("POST", `triggers/${made.id}/fire`, {})).body;
    expect(await fire()).toMatchObject({ decision: "started" });
    await server.db.query("update user_roles set role = 'viewer' where user_id = $1", [owner]);
    await expect.poll(async () => (await fire()).decision, { interval: 500 }).toBe("refused");
    await server.db.query("update users set disabled_at = now() where id = $1", [owner]);
    expect(await fire()).toMatchObject({ decision: "refused", executionId: null });
  });

  it("cannot be found behind the trigger of another tenant", async () => {
    const { id } = await server.make(body());
    await server.db.query("update triggers set tenant_id = 2 where id = $1", [id]);
    for (const [method, path] of [
      ["GET", `triggers/${id}`],
      ["PUT", `triggers/${id}`],
      ["POST", `triggers/${id}/fire`],
      ["POST", `triggers/${id}/test`],
      ["DELETE", `triggers/${id}`],
    ] as const)
      expect((await server.oven.call(method, path, method === "GET" ? undefined : {})).status, path).toBe(404);
  });
});
