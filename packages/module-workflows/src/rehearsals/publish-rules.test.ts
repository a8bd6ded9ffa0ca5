import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type JsonObject, SYSTEM_PRINCIPAL } from "@oven/contract";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule, defineModule, type ModuleDeps } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { invite, startTestOven, type TestOven } from "@oven/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

describe.each(testDatabases(inject("postgresUrl")))("publishing under a rule about past runs, on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  let shop: Server;
  let origin: string;
  let path: string;
  let id: number;
  let person: Parameters<TestOven["call"]>[3];
  let deps: ModuleDeps;
  const probe = defineModule({
    ...{ name: "module-probe", namespace: "probe", description: "Hands out what modules get." },
    dependencies: ["module-workflows"],
    services: async (given) => {
      deps = given;
      return {};
    },
  });
  const ids: number[] = [];
  const policies: number[] = [];

  /** Orders above the limit are noted. */
  const order = (limit: number) => ({
    initial: "read",
    states: {
      read: {
        invoke: { src: "core.transform", input: { mapping: { sum: "$.trigger.sum" } }, onDone: "decide" },
      },
      decide: {
        invoke: {
          src: "core.transform",
          input: { mapping: { sum: "$.read_output.sum" } },
          onDone: [
            { target: "note", guard: { type: "cel", params: { expression: `output.sum > ${limit}.0` } } },
            "small",
          ],
        },
      },
      note: {
        invoke: {
          src: "core.http",
          input: { url: `${origin}/note/{{$.trigger.sum}}`, method: "POST" },
          onDone: "large",
        },
      },
      large: { type: "final", outcome: "large" },
      small: { type: "final", outcome: "small" },
    },
  });
  const policy = async (rule: object, severity = "error") => {
    const { status, body } = await oven.call("POST", "graph-policies", { name: `P${policies.length}`, severity, rule });
    if (status === 201) policies.push(body.id);
    return { status, body };
  };
  const publish = (definition: object, options?: Parameters<TestOven["call"]>[3]) =>
    oven.call("PUT", path, { definition }, options);
  const save = async (definition: object) => {
    const { body } = await oven.call("GET", `${path}/draft`);
    const { version } = (await oven.call("GET", path)).body;
    const saved = await oven.call("PUT", `${path}/draft`, {
      definition,
      baseVersion: version,
      revision: body.revision ?? 0,
    });
    expect(saved.status).toBe(200);
    return saved.body.revision as number;
  };
  /** As a person does on the page of a run. */
  const look = async (executionId: number) => {
    const shown = (await oven.call("POST", `${path}/rehearse/${executionId}`, {}, person)).body;
    const body = { draftRevision: shown.draftRevision, digest: shown.run.digest };
    return oven.call("POST", `${path}/rehearse/${executionId}/seen`, body, person);
  };

  beforeAll(async () => {
    shop = createServer((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end("{}");
    });
    shop.listen(0, "127.0.0.1");
    await once(shop, "listening");
    origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`; // cast: it listens on TCP
    database = await open();
    oven = await startTestOven({
      db: database.db,
      ...{ createRuntime, modules: [createSystemModule(), createRolesModule(), createWorkflowsModule(), probe] },
      environment: { outboundAllow: [origin] },
    });
    ({ id } = (await oven.call("POST", "workflows", { name: "Orders", definition: order(25) })).body);
    path = `workflows/${id}`;
    for (const sum of [10, 20, 30, 40]) {
      const run = await oven.call("POST", `${path}/execute?wait=30`, { input: { sum } });
      expect(run.body.status).toBe("completed");
      ids.push(run.body.id);
    }
    person = await invite(oven, "pat@example.com", ["admin"]);
  });
  afterEach(async () => {
    for (const one of policies.splice(0)) await oven.call("DELETE", `graph-policies/${one}`);
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
    shop.close();
  });

  it("is refused where too few come out the same, naming the runs, and done where enough do", async () => {
    await policy({ kind: "past-runs", minSame: 0.8 });
    const refused = await publish(order(35));
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "POLICY_VIOLATED" } } });
    expect(refused.body.error.message).toContain(
      `3 of 4 past runs come out the same, and 80 % must; these do not: run ${ids[2]}`,
    );
    expect((await oven.call("GET", path)).body.version).toBe(1);
    const check = await oven.call("POST", `${path}/publish-check`, { definition: order(35) });
    expect(check.body.problems).toMatchObject([{ rule: "policy", severity: "error" }]);
    expect((await oven.call("POST", `${path}/publish-check`, { definition: order(26) })).body.problems).toEqual([]);
    const [one] = policies;
    await oven.call("PUT", `graph-policies/${one}`, { rule: { kind: "past-runs", minSame: 0.75, runs: 4 } });
    expect((await publish(order(36))).status).toBe(200);
    // The runs of version 1 end otherwise on version 2 as well: what comes next is not to blame for it.
    await oven.call("PUT", `graph-policies/${one}`, { rule: { kind: "past-runs", minSame: 1 } });
    expect((await publish(order(37))).status).toBe(200);
    expect((await publish(order(45))).status).toBe(409);
    await oven.call("DELETE", `graph-policies/${one}`);
    policies.splice(0);
    expect((await publish(order(25))).status).toBe(200);
  });

  it("is refused for one workflow alone where the rule names it, and only said where the rule warns", async () => {
    await policy({ kind: "past-runs", workflow: { kind: "workflow", id: id + 1_000 }, minSame: 1 });
    await policy({ kind: "past-runs", minSame: 1 }, "warning");
    const { body } = await oven.call("POST", `${path}/publish-check`, { definition: order(35) });
    expect(body.problems).toMatchObject([{ severity: "warning" }]);
    await policy({ kind: "past-runs", workflow: { kind: "workflow", id }, minSame: 1 });
    expect((await publish(order(35))).status).toBe(409);
  });

  it("is refused where a run would make a call that was not there, whoever has looked at it", async () => {
    await policy({ kind: "past-runs", noNewToolCalls: true });
    expect((await publish(order(15))).body.error.message).toContain(
      `past runs would make calls that were not there, at note: run ${ids[1]}`,
    );
    await save(order(15));
    expect((await look(ids[1] ?? 0)).status).toBe(200);
    expect((await publish(order(15))).status).toBe(409);
    await oven.call("DELETE", `${path}/draft`);
  });

  it("is refused until a person has looked at every difference of exactly this draft", async () => {
    await policy({ kind: "past-runs", everyDifferenceSeen: true });
    await save(order(35));
    const refused = await publish(order(35), person);
    expect(refused.body.error.message).toContain(
      `no person has looked at what these past runs come to on exactly this definition: run ${ids[2]}`,
    );
    expect(await look(ids[2] ?? 0)).toMatchObject({ status: 200, body: { run: { seen: true } } });
    // Another draft that makes the same run differ just so: what was seen is of no use for it.
    await save(order(36));
    expect((await publish(order(36), person)).status).toBe(409);
    await save(order(35));
    expect((await publish(order(35), person)).status).toBe(200);
  });

  it("is refused as well where it is part of a transaction, as of an import", async () => {
    await policy({ kind: "past-runs", minSame: 1 });
    const { workflows } = deps.services.workflowPlatform.face("workflow");
    const change = (limit: number) =>
      deps.db.jointly(
        () => workflows.update(SYSTEM_PRINCIPAL, String(id), { definition: order(limit) as JsonObject }), // cast: it is JSON
      );
    await expect(change(45)).rejects.toMatchObject({ code: "POLICY_VIOLATED" });
    const { version } = (await oven.call("GET", path)).body;
    await change(34);
    expect((await oven.call("GET", path)).body.version).toBe(version + 1);
  });

  it("is no rule that demands nothing, and is tried on no other workflow", async () => {
    expect((await policy({ kind: "past-runs" })).status).toBe(400);
    expect((await policy({ kind: "past-runs", minSame: 1, dataset: "orders" })).status).toBe(400);
    const tried = await oven.call("POST", "graph-policies/try", { rule: { kind: "past-runs", minSame: 1 } });
    expect(tried).toMatchObject({ status: 400, body: { error: { code: "INVALID_REQUEST" } } });
  });
});
