import { type Permission, READING_ROLES, RUNNING_ROLES } from "@oven/module-registry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAccess, type TestAccess } from "../testing/start-access.ts";
import { BUILT_IN_ROLES, permissionsOfRole } from "./built-in-roles.ts";

const DECLARED: readonly Permission[] = [
  { id: "boats.read", title: "See boats", roles: [...READING_ROLES, "reviewer"] },
  { id: "boats.update", title: "Change boats", roles: ["editor"] },
  { id: "boats.sail", title: "Sail boats", roles: RUNNING_ROLES },
  // Nothing is said: a name that sounds harmless gives nothing.
  { id: "logs.read", title: "See logs" },
  { id: "logs.polish", title: "Polish logs", roles: [] },
  { id: "crowns.wear", title: "Wear crowns", ownersOnly: true },
];

describe("built-in roles", () => {
  it.each([
    ["owner", ["*"]],
    ["admin", ["boats.*", "logs.*"]],
    ["editor", ["boats.read", "boats.update", "boats.sail"]],
    ["operator", ["boats.read", "boats.sail"]],
    ["reviewer", ["boats.read"]],
    ["viewer", ["boats.read"]],
    ["auditor", ["boats.read"]],
  ] as const)("%s holds what names the role, and by default nothing", (name, permissions) => {
    expect(permissionsOfRole(name, DECLARED)).toEqual(permissions);
  });
});

describe("roles", () => {
  let access: TestAccess;
  let cookie: string;
  beforeAll(async () => {
    access = await startAccess();
    cookie = access.owner.cookie;
  });
  afterAll(() => access.stop());

  const make = (name: string, permissions: string[], as = cookie) =>
    access.call("POST", "roles", { cookie: as, body: { name, title: name, permissions } });

  it("are listed, the built-in ones for every tenant, with what modules declare", async () => {
    const { body } = await access.call("GET", 'roles?filter={"builtIn":true}', { cookie });
    expect(body.map(({ name }: { name: string }) => name)).toEqual(BUILT_IN_ROLES.map(({ name }) => name));
    const permissions = await access.call("GET", "permissions", { cookie });
    expect(permissions.body).toContainEqual({ id: "things.run", title: "Run things", module: "module-things" });
  });

  it("are made from what one has, and give it at once, and take it at once", async () => {
    const made = await make("mover", ["things.read", "things.update"]);
    expect(made).toMatchObject({ status: 201, body: { builtIn: false } });
    const mia = await access.join("mia", ["mover"]);
    const change = () => access.call("PUT", "things/1", { cookie: mia.cookie, body: {} });
    expect((await change()).status).toBe(200);
    const less = { ...made.body, permissions: ["things.read"] };
    expect((await access.call("PUT", `roles/${made.body.id}`, { cookie, body: less })).status).toBe(200);
    expect((await change()).status).toBe(403);
    expect(await access.call("DELETE", `roles/${made.body.id}`, { cookie })).toMatchObject({
      status: 409,
      body: { error: { code: "ROLE_IN_USE" } },
    });
    await access.call("PUT", `users/${mia.id}`, { cookie, body: { roles: [] } });
    expect((await access.call("DELETE", `roles/${made.body.id}`, { cookie })).status).toBe(204);
  });

  it.each([
    ["a permission nobody declares", "odd", ["things.fly"], 422, "PERMISSION_UNKNOWN"],
    ["a resource nobody declares", "odd", ["planes.*"], 422, "PERMISSION_UNKNOWN"],
    ["a built-in role's name", "owner", ["things.read"], 409, "ROLE_EXISTS"],
    ["a name with blanks", "a b", ["things.read"], 400, "INVALID_REQUEST"],
  ])("refuse %s", async (_what, name, permissions, status, code) => {
    expect(await make(name, permissions)).toMatchObject({ status, body: { error: { code } } });
  });

  it("cannot be used to climb: neither made, nor widened, nor touched above oneself", async () => {
    const { body: strong } = await make("strong", ["*"]);
    await make("keeper", ["roles.*", "users.*", "things.read"]);
    const kim = await access.join("kim", ["keeper"]);
    expect((await make("climber", ["things.update"], kim.cookie)).status).toBe(403);
    expect((await make("climber", ["*"], kim.cookie)).status).toBe(403);
    const own = await make("own", ["things.read"], kim.cookie);
    const wider = { ...own.body, permissions: ["things.*"] };
    expect((await access.call("PUT", `roles/${own.body.id}`, { cookie: kim.cookie, body: wider })).status).toBe(403);
    const weaker = { ...strong, permissions: [] };
    expect((await access.call("PUT", `roles/${strong.id}`, { cookie: kim.cookie, body: weaker })).status).toBe(403);
    expect((await access.call("DELETE", `roles/${strong.id}`, { cookie: kim.cookie })).status).toBe(403);
    expect(
      (await access.call("PUT", `users/${kim.id}`, { cookie: kim.cookie, body: { roles: ["strong"] } })).status,
    ).toBe(403);
    const invited = { email: "x@example.com", roles: ["strong"] };
    expect((await access.call("POST", "invitations", { cookie: kim.cookie, body: invited })).status).toBe(403);
  });

  it("stay as they are when built in, and belong to their tenant otherwise", async () => {
    const [owner] = (await access.call("GET", 'roles?filter={"name":"owner"}', { cookie })).body;
    expect(await access.call("DELETE", `roles/${owner.id}`, { cookie })).toMatchObject({
      status: 409,
      body: { error: { code: "ROLE_BUILT_IN" } },
    });
    const { body: foreign } = await make("foreign", ["things.read"]);
    await access.db.query("update roles set tenant_id = 2 where id = $1", [foreign.id]);
    for (const method of ["GET", "PUT", "DELETE"])
      expect(
        (await access.call(method, `roles/${foreign.id}`, { cookie, ...(method === "GET" ? {} : { body: foreign }) }))
          .status,
      ).toBe(404);
    // Its name gives nothing here.
    expect(
      (await access.call("POST", "invitations", { cookie, body: { email: "y@example.com", roles: ["foreign"] } }))
        .status,
    ).toBe(422);
  });
});
