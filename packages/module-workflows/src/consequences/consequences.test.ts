import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule, defineModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ask } from "../reviews/testing/reviewed-oven.ts";
import { createWorkflowsModule } from "../workflows.module.ts";

describe.each(testDatabases(inject("postgresUrl")))("what a decision leads to, on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  let shop: Server;
  let origin: string;
  /** `<method> <path>` of what was asked. */
  const asked: string[] = [];
  let path: string;

  /** Orders above 100 need a second look after they were paid back. */
  const refunds = () => ({
    initial: "read",
    states: {
      read: { invoke: { src: "core.http", input: { url: `${origin}/orders/{{$.trigger.id}}` }, onDone: "ask" } },
      ask: {
        invoke: {
          src: "test.ask",
          input: {
            request: { title: "Pay back?", proposal: "$.read_output.body", actions: ["approve", "edit", "reject"] },
          },
          onDone: [
            {
              target: "sum",
              guard: { type: "condition", params: { key: "$.ask_output.action", operator: "!=", value: "reject" } },
            },
            "refused",
          ],
        },
      },
      sum: {
        invoke: { src: "core.transform", input: { mapping: { sum: "$.ask_output.data.sum" } }, onDone: "refund" },
      },
      refund: {
        invoke: {
          src: "core.http",
          input: { url: `${origin}/refund/{{$.trigger.id}}`, method: "POST", body: { sum: "$.sum_output.sum" } },
          onDone: [
            { target: "look", guard: { type: "cel", params: { expression: "ctx.sum_output.sum > 100.0" } } },
            "paid",
          ],
        },
      },
      look: {
        invoke: {
          src: "test.ask",
          input: {
            request: {
              title: "A large one",
              proposal: null,
              actions: ["approve", "reject"],
              assignees: ["role:owner"],
            },
          },
          onDone: "paid",
        },
      },
      paid: { type: "final", outcome: "paid", output: { sum: "$.sum_output.sum" } },
      refused: { type: "final", outcome: "refused" },
    },
  });

  async function paused(id: number): Promise<{ run: number; review: number; digest: string }> {
    const { body: run } = await oven.call("POST", `${path}/execute?wait=30`, { input: { id } });
    expect(run).toMatchObject({ status: "paused" });
    const { body } = await oven.call("GET", `reviews?filter={"executionId":${run.id},"status":"open"}`);
    return { run: run.id, review: body[0].id, digest: body[0].digest };
  }
  const consequences = async (review: number, key?: string | null) =>
    oven.call("GET", `reviews/${review}/consequences`, undefined, key === undefined ? {} : { key });
  const decide = (review: number, body: object) => oven.call("POST", `reviews/${review}/decide`, body);

  beforeAll(async () => {
    shop = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ sum: Number(request.url?.split("/").at(-1)) * 10 }));
    });
    shop.listen(0, "127.0.0.1");
    await once(shop, "listening");
    origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`; // cast: it listens on TCP
    database = await open();
    const tests = defineModule({
      ...{ name: "module-test", namespace: "test", description: "A node that asks.", dependencies: [] },
      // As agent.humanReview: it does nothing but ask.
      nodes: [{ ...ask, isLocal: true, isWait: true }],
    });
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), tests];
    oven = await startTestOven({ createRuntime, modules, db: database.db, environment: { outboundAllow: [origin] } });
    const { body } = await oven.call("POST", "workflows", { name: "Refunds", definition: refunds() });
    expect(body.error).toBeUndefined();
    path = `workflows/${body.id}`;
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
    shop.close();
  });

  it("is shown for each button, with the exact call, and nothing outside is called", async () => {
    const { review } = await paused(3);
    const before = asked.length;
    const { status, body } = await consequences(review);
    expect(status).toBe(200);
    expect(body.consequences.map(({ action }: { action: string }) => action)).toEqual(["approve", "reject"]);
    expect(body.consequences[0]).toMatchObject({
      steps: [
        {
          type: "call",
          nodeId: "refund",
          src: "core.http",
          input: { url: `${origin}/refund/3`, method: "POST", body: { sum: 30 } },
          origin: "example",
          isAssumed: false,
          asksModel: false,
          cameTrue: null,
        },
      ],
      end: { status: "completed", outcome: "paid", output: '{"sum":30}' },
      isAssumed: true,
    });
    expect(body.consequences[1]).toMatchObject({ steps: [], end: { outcome: "refused" }, isAssumed: false });
    expect(asked).toHaveLength(before);
  });

  it("is another one for what was edited, up to the next review", async () => {
    const { review } = await paused(4);
    const edited = { action: "edit", data: { sum: 400 } };
    const { status, body } = await oven.call("POST", `reviews/${review}/consequences`, edited);
    expect(status).toBe(200);
    expect(body.consequences).toMatchObject([
      {
        action: "edit",
        steps: [
          { nodeId: "refund", input: { body: { sum: 400 } } },
          { type: "review", nodeId: "look", title: "A large one", assignees: ["role:owner"], isAssumed: true },
        ],
        end: null,
        rest: { reason: "review", nodeId: "look" },
      },
    ]);
    const unknown = await oven.call("POST", `reviews/${review}/consequences`, { action: "dance" });
    expect(unknown.body.error).toMatchObject({ code: "ACTION_UNKNOWN" });
  });

  it("takes the answer that the same call had in an earlier run", async () => {
    const first = await paused(5);
    await decide(first.review, { action: "approve", digest: first.digest });
    await expect
      .poll(async () => (await oven.call("GET", `workflow-executions/${first.run}`)).body.status, { interval: 20 })
      .toBe("completed");
    const second = await paused(5);
    const { body } = await consequences(second.review);
    expect(body.consequences[0].steps).toMatchObject([{ nodeId: "refund", origin: "recorded" }]);
  });

  it("says after the decision whether it came true", async () => {
    const { run, review, digest } = await paused(6);
    await decide(review, { action: "approve", digest });
    await expect
      .poll(async () => (await oven.call("GET", `workflow-executions/${run}`)).body.status, { interval: 20 })
      .toBe("completed");
    const { body } = await consequences(review);
    expect(body.consequences).toMatchObject([
      {
        action: "approve",
        // The answer that came since does not count as known before.
        steps: [{ nodeId: "refund", origin: "example", cameTrue: true }],
        end: { outcome: "paid" },
        cameTrue: true,
      },
    ]);
  });

  it("is refused to those who may not read runs, and hidden from other tenants' keys", async () => {
    const { review } = await paused(7);
    const { body: key } = await oven.call("POST", "api-keys", { name: "inbox", permissions: ["reviews.read"] });
    expect(await consequences(review, key.key)).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
    expect((await consequences(999_999)).status).toBe(404);
  });
});
