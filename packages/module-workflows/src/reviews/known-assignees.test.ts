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

  it("warns of roles and users that do not exist or are disabled, and of no others", async () => {
    const known = ["role:admin", "role:editor", `user:${ada}`, "user:ada@example.com", "user:Ada@Example.com"];
    expect(await unknownIn({ ask: asking({ assignees: known }), done })).toEqual([]);
    const assignees = ["role:admin", "role:nowhere", "user:999999", "user:who@example.com", "user:gone@example.com"];
    expect(await unknownIn({ ask: asking({ assignees }), done })).toEqual(
      [1, 2, 3, 4].map((index) => [`$.states.ask.invoke.input.assignees[${index}]`, "warning"]),
    );
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
