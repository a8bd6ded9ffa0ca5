import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentOven, startAgentOven } from "./agents/testing/agent-oven.ts";

/** Of 11 tokens in and 7 out, as the scripted server counts. */
const CALL_MICROS = 11 + 2 * 7;

describe("past runs on a draft with a budget for models", () => {
  let oven: AgentOven;
  let models: AgentOven["server"];
  let shop: Server;
  let origin: string;
  let id: number;
  let path: string;
  const notes: string[] = [];
  const ids: number[] = [];

  /** What the model calls good is noted. */
  const judging = (prompt: string, more: object = {}) => ({
    initial: "judge",
    states: {
      judge: {
        invoke: {
          src: "agent.llm",
          input: { prompt: `${prompt} {{$.trigger.word}}`, model: "openai:house-model", history: "none", ...more },
          onDone: [
            {
              target: "note",
              guard: { type: "condition", params: { key: "$.output.text", operator: "==", value: "yes" } },
            },
            "plain",
          ],
        },
      },
      note: {
        invoke: { src: "core.http", input: { url: `${origin}/{{$.trigger.word}}`, method: "POST" }, onDone: "noted" },
      },
      noted: { type: "final", outcome: "noted" },
      plain: { type: "final", outcome: "plain" },
    },
  });
  const rehearse = (definition: object, live?: object, key?: string) =>
    oven.call("POST", `${path}/rehearse`, { definition, ...(live && { live }) }, key === undefined ? {} : { key });

  beforeAll(async () => {
    shop = createServer((request, response) => {
      notes.push(request.url ?? "");
      response.setHeader("content-type", "application/json");
      response.end("{}");
    });
    shop.listen(0, "127.0.0.1");
    await once(shop, "listening");
    origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`; // cast: it listens on TCP
    oven = await startAgentOven(
      ({ body }) => {
        const said = String((body.messages as JsonObject[]).at(-1)?.content); // cast: the wire format
        if (said.startsWith("Break")) return { status: 400, message: "no" };
        return { text: said.startsWith("Praise") || said.includes("good") ? "yes" : "no" };
      },
      { outboundAllow: [origin] },
    );
    models = oven.server;
    const price = { providerId: "openai", modelId: "house-model", inputMicros: 1_000_000, outputMicros: 2_000_000 };
    expect((await oven.call("POST", "ai-prices", price)).status).toBe(201);
    const made = await oven.call("POST", "agent-workflows", { name: "Judges", definition: judging("Judge") });
    expect(made.body.error).toBeUndefined();
    id = made.body.id;
    path = `agent-workflows/${id}`;
    for (const word of ["good-1", "bad-2", "good-3"]) {
      const run = await oven.call("POST", `${path}/execute?wait=30`, { input: { word } });
      expect(run.body.status).toBe("completed");
      ids.push(run.body.id);
    }
    expect(notes).toEqual(["/good-1", "/good-3"]);
  });
  afterAll(async () => {
    await oven.stop();
    shop.close();
  });

  it("are not known where nobody allows that a model is asked", async () => {
    const before = models.requests.length;
    const { body } = await rehearse(judging("Please judge"));
    expect(body).toMatchObject({ counts: { unknown: 3 }, live: null });
    expect(models.requests).toHaveLength(before);
  });

  it("ask the model anew, count what that costs, and call nothing else", async () => {
    const before = models.requests.length;
    const { body } = await rehearse(judging("Please judge"), { maxCostMicros: 1_000 });
    expect(body).toMatchObject({
      counts: { same: 3, unknown: 0 },
      live: { calls: 3, costMicros: 3 * CALL_MICROS },
    });
    expect(models.requests).toHaveLength(before + 3);
    expect(notes).toHaveLength(2);
    const own = (await oven.call("GET", `agent-workflow-executions/${ids[0]}`)).body;
    expect(own.costMicros).toBe(CALL_MICROS);
    const used = (await oven.call("GET", "ai-usage-logs?range=[0,99]")).body;
    expect(used.filter(({ executionId }: JsonObject) => executionId === null)).toHaveLength(3);
  });

  it("are not known where the model's answer leads to a call that was not recorded, which is not made", async () => {
    const { body } = await rehearse(judging("Praise"), { maxCostMicros: 1_000 });
    expect(body.counts).toMatchObject({ same: 2, unknown: 1 });
    expect(body.runs[1]).toMatchObject({
      executionId: ids[1],
      unknown: { reason: "new-call", nodeId: "note" },
      calls: { added: [{ nodeId: "note" }] },
    });
    expect(notes).toHaveLength(2);
  });

  it("stop at the budget, and say of which runs it is not known for that", async () => {
    const spending = { maxCostMicros: CALL_MICROS + 1 };
    const { body } = await rehearse(judging("Please judge"), spending);
    expect(body).toMatchObject({ counts: { same: 2, unknown: 1 }, live: { calls: 2, costMicros: 2 * CALL_MICROS } });
    expect(body.runs[2]).toMatchObject({ unknown: { reason: "live-budget", nodeId: "judge" } });
    const counted = await rehearse(judging("Please judge"), { maxCostMicros: 1_000, maxCalls: 1 });
    expect(counted.body).toMatchObject({ counts: { same: 1, unknown: 2 }, live: { calls: 1 } });
  });

  it("are not known where the model gives no answer, or is to see pictures", async () => {
    const failing = await rehearse(judging("Break"), { maxCostMicros: 1_000 });
    expect(failing.body.runs[0]).toMatchObject({ unknown: { reason: "live-failed", nodeId: "judge" } });
    const before = models.requests.length;
    const seeing = await rehearse(judging("Please judge", { images: `${origin}/picture` }), { maxCostMicros: 1_000 });
    expect(seeing.body).toMatchObject({ counts: { unknown: 3 }, live: { calls: 0, costMicros: 0 } });
    expect(models.requests).toHaveLength(before);
  });

  it("need the permission to run the workflow", async () => {
    const permissions = ["agent-workflows.read", "agent-workflows.update", "executions.read"];
    const { body: key } = await oven.call("POST", "api-keys", { name: "writer", permissions });
    expect((await rehearse(judging("Please judge"), undefined, key.key)).status).toBe(200);
    expect((await rehearse(judging("Please judge"), { maxCostMicros: 1_000 }, key.key)).status).toBe(403);
  });

  it("are asked of a model by a rule only when a version is published", async () => {
    const rule = { kind: "past-runs", minSame: 1 };
    const { body: policy } = await oven.call("POST", "graph-policies", { name: "Same", rule });
    const definition = judging("Please judge");
    expect((await oven.call("PUT", path, { definition })).status).toBe(409);
    await oven.call("PUT", `graph-policies/${policy.id}`, { rule: { ...rule, live: { maxCostMicros: 1_000 } } });
    const before = models.requests.length;
    expect((await oven.call("POST", `${path}/publish-check`, { definition })).body.problems).toEqual([]);
    expect(models.requests).toHaveLength(before);
    expect((await oven.call("PUT", path, { definition: judging("Praise") })).status).toBe(409);
    expect((await oven.call("PUT", path, { definition })).status).toBe(200);
    expect(models.requests).toHaveLength(before + 6);
  });
});
