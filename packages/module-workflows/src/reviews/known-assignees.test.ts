import type { JsonObject } from "@oven/contract";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

describe("validation of who is asked", () => {
  let oven: TestOven;
  let ada: number;
  beforeAll(async () => {
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules });
    const people = [
      ["ada@example.com", null],
      ["gone@example.com", new Date(0)],
    ];
    for (const person of people)
      await oven.db.query("insert into users (name, email, tenant_id, disabled_at) values ('A', $1, 1, $2)", person);
    const [row] = await oven.db.query<{ id: number }>("select id from users where email = 'ada@example.com'");
    ada = row?.id ?? 0;
    for (const role of ["admin", "editor"])
      await oven.db.query("insert into user_roles (user_id, role, tenant_id) values ($1, $2, 1)", [ada, role]);
    const gone =
      "insert into user_roles (user_id, role, tenant_id) select id, 'auditor', 1 from users where email = 'gone@example.com'";
    await oven.db.query(gone);
  });
  afterAll(() => oven.stop());

  async function unknownIn(states: JsonObject, kind = "workflows"): Promise<[path: string, severity: string][]> {
    const definition = { initial: "ask", states };
    const { status, body } = await oven.call("POST", `${kind}/validate`, { definition });
    expect(status).toBe(200);
    return body.problems
      .filter(({ rule }: { rule: string }) => rule === "unknown-assignee")
      .map(({ path, severity }: { path: string; severity: string }) => [path, severity]);
  }
  const asking = (input: JsonObject): JsonObject => ({
    invoke: { src: "core.requestInput", input: { title: "?", ...input }, onDone: "done" },
  });
  const done = { type: "final" };

  it("refuses users that do not exist or are disabled, roles that do not exist or that no such person has, and no others", async () => {
    const known = ["role:admin", "role:editor", `user:${ada}`, "user:ada@example.com", "user:Ada@Example.com"];
    expect(await unknownIn({ ask: asking({ assignees: known }), done })).toEqual([]);
    const roles = ["role:admin", "role:nowhere", "role:operator", "role:auditor"];
    const assignees = [...roles, "user:999999", "user:who@example.com", "user:gone@example.com"];
    expect(await unknownIn({ ask: asking({ assignees }), done })).toEqual(
      [1, 2, 3, 4, 5, 6].map((index) => [`$.states.ask.invoke.input.assignees[${index}]`, "error"]),
    );
  });

  it("lets nothing be published that asks by a role of no person, and lets it be once a person has the role", async () => {
    const definition = { initial: "ask", states: { ask: asking({ assignees: ["role:operator"] }), done } };
    const publish = () => oven.call("POST", "workflows", { name: "Asks operators", definition });
    const refused = await publish();
    expect([refused.status, refused.body.error]).toMatchObject([
      400,
      { code: "INVALID_DEFINITION", message: expect.stringContaining("No person has the role operator") },
    ]);
    await oven.db.query("insert into user_roles (user_id, role, tenant_id) values ($1, 'operator', 1)", [ada]);
    expect((await publish()).status).toBe(201);
  });

  it("looks at those who are asked after a deadline, too, and into groups and loops", async () => {
    const onDeadline = { escalateTo: ["role:nobody-has-it"], dueIn: "PT1H" };
    const inner = asking({ assignees: ["role:nowhere"] });
    const group = { initial: "inner", states: { inner, done: { type: "final" } }, onDone: "each" };
    const loop = {
      ...{ type: "forEach", collection: [1], bodyInitial: "item" },
      bodyStates: { item: asking({ assignees: ["role:nowhere"] }), end: done },
      onDone: "done",
    };
    const states = { ask: { ...asking({ dueIn: "PT1H", onDeadline }) }, group, each: { loop }, done };
    expect((await unknownIn(states)).map(([path]) => path)).toEqual([
      "$.states.ask.invoke.input.onDeadline.escalateTo[0]",
      "$.states.group.states.inner.invoke.input.assignees[0]",
      "$.states.each.loop.bodyStates.item.invoke.input.assignees[0]",
    ]);
  });

  it("takes what a run computes, and lists of other services, as they are", async () => {
    expect(await unknownIn({ ask: asking({ assignees: "$.trigger.people" }), done })).toEqual([]);
    const http = { url: "https://example.com", method: "POST", body: { assignees: ["octocat"] } };
    expect(await unknownIn({ ask: { invoke: { src: "core.http", input: http, onDone: "done" } }, done })).toEqual([]);
  });
});
