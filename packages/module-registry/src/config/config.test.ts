import type { Principal } from "@oven/contract";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineModule } from "../define/define-module.ts";
import { Registry } from "../registry.ts";
import { createSystemModule } from "../routes.ts";
import { createRuntime, type Runtime } from "../runtime.ts";
import { createConfigService } from "./config-service.ts";

const PRINCIPALS: Record<string, Principal> = {
  admin: { kind: "user", userId: 1, tenantId: 1, permissions: ["*"] },
  tenant: { kind: "user", userId: 2, tenantId: 1, permissions: ["config.read", "config.update"] },
  reader: { kind: "user", userId: 3, tenantId: 1, permissions: ["config.read"] },
  other: { kind: "user", userId: 4, tenantId: 2, permissions: ["*"] },
};

const bakery = defineModule({
  name: "module-bakery",
  namespace: "bakery",
  description: "For tests.",
  dependencies: [],
  configSchema: [
    {
      key: "HEAT",
      type: "number",
      description: "Degrees",
      defaultValue: 180,
      schema: z.int().max(300),
      instances: "id of an oven",
    },
    { key: "OPEN", type: "boolean", description: "Whether it is open", defaultValue: true },
    { key: "NAME", type: "string", description: "Its name", defaultValue: "Bakery" },
    { key: "HOURS", type: "array", description: "Opening hours", defaultValue: [] },
    { key: "LABELS", type: "object", description: "Labels", defaultValue: {} },
  ],
  services: async () => ({
    authenticate: async (request) => {
      const principal = PRINCIPALS[request.headers.get("authorization") ?? ""];
      return principal && { principal, via: "bearer" as const };
    },
  }),
});

let db: Database;
let runtime: Runtime;

beforeAll(async () => {
  db = await createTestPglite();
  const environment = {
    publicUrl: "http://localhost:3000",
    dataDir: "unused",
    secret: "s".repeat(32),
    demo: false,
    bootstrapApiKey: undefined,
    outboundAllow: [],
    production: false,
  };
  runtime = await createRuntime({ db, modules: [createSystemModule(), bakery], environment });
});
afterEach(async () => {
  await db.query("delete from module_configs");
  runtime.services.config.forget();
});
afterAll(async () => {
  await runtime.stop();
  await db.close();
});

async function call(as: string, method: string, path: string, body?: object) {
  const response = await runtime.fetch(
    new Request(`http://localhost:3000/api/module-configs${path}`, {
      method,
      headers: { authorization: as, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

const heat = (value: unknown, more: object = {}) => ({ moduleName: "module-bakery", key: "HEAT", value, ...more });
const HEAT = "/resolve?moduleName=module-bakery&key=HEAT";

describe("the configuration cascade", () => {
  it("takes the strongest of its five levels, and what is weaker again once that is gone [004-257]", async () => {
    const levels = [
      ["platform-module", heat(1, { platform: true })],
      ["platform-instance", heat(2, { platform: true, scopeId: "7" })],
      ["tenant-module", heat(3)],
      ["tenant-instance", heat(4, { scopeId: "7" })],
    ] as const;
    expect((await call("reader", "GET", `${HEAT}&scopeId=7`)).body).toEqual({ value: 180, source: "default" });
    const ids: number[] = [];
    for (const [source, body] of levels) {
      const created = await call("admin", "POST", "", body);
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      ids.push(created.body.id);
      expect((await call("reader", "GET", `${HEAT}&scopeId=7`)).body).toEqual({ value: body.value, source });
    }
    expect((await call("reader", "GET", HEAT)).body).toEqual({ value: 3, source: "tenant-module" });
    expect((await call("reader", "GET", `${HEAT}&scopeId=8`)).body).toEqual({ value: 3, source: "tenant-module" });
    expect((await call("other", "GET", `${HEAT}&scopeId=7`)).body).toEqual({ value: 2, source: "platform-instance" });
    expect((await call("other", "GET", HEAT)).body).toEqual({ value: 1, source: "platform-module" });
    await call("admin", "DELETE", `/${ids[3]}`);
    expect((await call("reader", "GET", `${HEAT}&scopeId=7`)).body).toEqual({ value: 3, source: "tenant-module" });
  });

  it("answers several keys at once [004-257] [004-288]", async () => {
    await call("admin", "POST", "", { moduleName: "module-bakery", key: "NAME", value: "Corner" });
    const some = await call("reader", "GET", "/resolve-batch?moduleName=module-bakery&keys=NAME,HEAT&scopeId=7");
    expect(some.body).toEqual({
      NAME: { value: "Corner", source: "tenant-module" },
      HEAT: { value: 180, source: "default" },
    });
    const all = await call("reader", "GET", "/resolve-batch?moduleName=module-bakery");
    expect(Object.keys(all.body)).toEqual(["HEAT", "OPEN", "NAME", "HOURS", "LABELS"]);
  });

  it("shows every key with its levels, strongest first, and which of them holds", async () => {
    const created = [
      await call("admin", "POST", "", heat(1, { platform: true })),
      await call("admin", "POST", "", heat(2, { platform: true, scopeId: "7" })),
      await call("admin", "POST", "", heat(4, { scopeId: "7" })),
      await call("admin", "POST", "", heat(3)),
      await call("other", "POST", "", heat(9)),
    ];
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const { status, body } = await call("reader", "GET", "/cascade");
    expect(status).toBe(200);
    const own = body.filter(({ moduleName }: { moduleName: string }) => moduleName === "module-bakery");
    expect(own.map(({ key }: { key: string }) => key)).toEqual(["HEAT", "OPEN", "NAME", "HOURS", "LABELS"]);
    expect(own[0]).toMatchObject({ instances: "id of an oven", defaultValue: 180, value: 3, source: "tenant-module" });
    expect(own[0].stored).toEqual([
      { id: created[2]?.body.id, source: "tenant-instance", scopeId: "7", value: 4 },
      { id: created[3]?.body.id, source: "tenant-module", scopeId: null, value: 3 },
      { id: created[1]?.body.id, source: "platform-instance", scopeId: "7", value: 2 },
      { id: created[0]?.body.id, source: "platform-module", scopeId: null, value: 1 },
    ]);
    expect(own[1]).toMatchObject({ instances: null, value: true, source: "default", problem: null, stored: [] });
    const others = (await call("other", "GET", "/cascade")).body.find(({ key }: { key: string }) => key === "HEAT");
    expect([others.value, others.stored.length]).toEqual([9, 3]);
    expect((await call("nobody", "GET", "/cascade")).status).toBe(401);
    // Stored before the key became as strict as it is.
    await db.query("update module_configs set value = '500' where id = $1", [created[3]?.body.id]);
    const strict = (await call("reader", "GET", "/cascade")).body.find(({ key }: { key: string }) => key === "HEAT");
    expect(strict).toMatchObject({ value: 500, problem: expect.stringContaining("HEAT: the value is refused") });
  });

  it("does not take what belongs to the whole installation for a tenant's own", async () => {
    await call("admin", "POST", "", heat(1, { platform: true }));
    const { config } = runtime.services;
    expect(await config.resolve({ module: "module-bakery", key: "HEAT", tenantId: 0 })).toEqual({
      value: 1,
      source: "platform-module",
    });
  });

  it("remembers a value for five seconds, and reads again afterwards", async () => {
    const registry = new Registry();
    registry.register(bakery);
    let now = 0;
    const config = createConfigService(db, registry, () => now);
    const request = { module: "module-bakery", key: "HEAT", tenantId: 1 };
    expect((await config.resolve(request)).value).toBe(180);
    await db.query(
      "insert into module_configs (tenant_id, module_name, key, value) values (1, 'module-bakery', 'HEAT', '200')",
    );
    now = 4_999;
    expect((await config.resolve(request)).value).toBe(180);
    now = 5_000;
    expect((await config.resolve(request)).value).toBe(200);
  });

  it("reads inside a transaction without waiting for it, and forgets what it saw there", async () => {
    const request = { module: "module-bakery", key: "HEAT", tenantId: 1 };
    const attempt = db.transaction(async (tx) => {
      await tx.query(
        "insert into module_configs (tenant_id, module_name, key, value) values (1, 'module-bakery', 'HEAT', '200')",
      );
      expect((await runtime.services.config.resolve(request, tx)).value).toBe(200);
      throw new Error("changed my mind");
    });
    await expect(attempt).rejects.toThrow("changed my mind");
    expect((await runtime.services.config.resolve(request)).value).toBe(180);
  });

  it("says so when a stored value no longer fits its key, instead of ignoring it", async () => {
    await db.query(
      "insert into module_configs (tenant_id, module_name, key, value) values (1, 'module-bakery', 'HEAT', '\"hot\"')",
    );
    const { status, body } = await call("reader", "GET", HEAT);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "CONFIG_VALUE_INVALID", details: { key: "HEAT" } });
  });
});

describe("/api/module-configs", () => {
  it("creates, lists, reads, changes and deletes", async () => {
    const { body: row } = await call("tenant", "POST", "", heat(200, { scopeId: " 7 " }));
    expect(row).toMatchObject({ tenantId: 1, scopeId: "7", value: 200, createdBy: 2 });
    expect((await call("tenant", "PUT", `/${row.id}`, { ...row, value: 210 })).body).toMatchObject({ value: 210 });
    expect((await call("reader", "GET", `/${row.id}`)).body).toMatchObject({ value: 210 });
    const listed = await call("reader", "GET", `?filter={"key":"HEAT","id":[${row.id}]}&sort=["key","DESC"]`);
    expect(listed.body).toHaveLength(1);
    expect(listed.headers.get("content-range")).toBe("module-configs 0-0/1");
    expect((await call("tenant", "DELETE", `/${row.id}`)).status).toBe(204);
    expect((await call("reader", "GET", `/${row.id}`)).status).toBe(404);
  });

  it.each([
    ["HEAT", 200.5],
    ["HEAT", 301],
    ["HEAT", "200"],
    ["HEAT", null],
    ["OPEN", "yes"],
    ["NAME", 1],
    ["HOURS", {}],
    ["LABELS", []],
    ["LABELS", null],
  ])("refuses %s = %j, which its declaration does not allow", async (key, value) => {
    const { status, body } = await call("tenant", "POST", "", { moduleName: "module-bakery", key, value });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "CONFIG_VALUE_INVALID", path: "$.value" });
    expect(await db.query("select id from module_configs")).toEqual([]);
  });

  it.each([
    ["OPEN", false],
    ["NAME", ""],
    ["HOURS", ["8-18", { sunday: null }]],
    ["LABELS", { a: { b: [1, null] } }],
  ])("keeps %s = %j exactly", async (key, value) => {
    const { body } = await call("tenant", "POST", "", { moduleName: "module-bakery", key, value });
    expect(body.value).toEqual(value);
    const resolved = await call("reader", "GET", `/resolve?moduleName=module-bakery&key=${key}`);
    expect(resolved.body).toEqual({ value, source: "tenant-module" });
  });

  it("names what there is when a module or key is unknown, and refuses instances nobody reads", async () => {
    const key = await call("tenant", "POST", "", { moduleName: "module-bakery", key: "HAET", value: 1 });
    expect(key.status).toBe(422);
    expect(key.body.error).toMatchObject({ code: "CONFIG_KEY_UNKNOWN", fix: expect.stringContaining("HEAT") });
    const module = await call("reader", "GET", "/resolve?moduleName=bakery&key=HEAT");
    expect(module.body.error).toMatchObject({
      code: "CONFIG_KEY_UNKNOWN",
      fix: expect.stringContaining("module-bakery"),
    });
    const instance = { moduleName: "module-bakery", key: "OPEN", value: false, scopeId: "7" };
    expect((await call("tenant", "POST", "", instance)).body.error.code).toBe("CONFIG_NOT_INSTANCED");
  });

  it("has one value for one place", async () => {
    expect((await call("tenant", "POST", "", heat(1))).status).toBe(201);
    const second = await call("tenant", "POST", "", heat(2));
    expect(second.status).toBe(409);
    expect(second.body.error.code).toBe("UNIQUE_VIOLATION");
  });

  it("lets nobody change another tenant's values, nor the installation's without the permission for it", async () => {
    expect((await call("reader", "POST", "", heat(1))).status).toBe(403);
    expect((await call("tenant", "POST", "", heat(1, { platform: true }))).status).toBe(403);
    const { body: shared } = await call("admin", "POST", "", heat(1, { platform: true }));
    expect(shared.tenantId).toBeNull();
    expect((await call("tenant", "PUT", `/${shared.id}`, { value: 2 })).status).toBe(403);
    expect((await call("tenant", "DELETE", `/${shared.id}`)).status).toBe(403);
    const { body: own } = await call("tenant", "POST", "", heat(3));
    expect((await call("other", "GET", `/${own.id}`)).status).toBe(404);
    expect((await call("other", "PUT", `/${own.id}`, { value: 4 })).status).toBe(404);
    expect((await call("other", "DELETE", `/${own.id}`)).status).toBe(404);
    expect((await call("other", "GET", "")).body.map(({ id }: { id: number }) => id)).toEqual([shared.id]);
    expect((await call("admin", "PUT", `/${shared.id}`, { value: 2 })).status).toBe(200);
  });
});
