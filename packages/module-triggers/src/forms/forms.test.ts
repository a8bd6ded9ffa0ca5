import { randomUUID } from "node:crypto";
import type { Trigger } from "@oven/contract/trigger";
import { longNumber } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTriggers, type TestTriggers } from "../triggers/testing/start-triggers.ts";

const definition = {
  payloadSchema: {
    type: "object",
    additionalProperties: false,
    required: ["email", "message"],
    properties: {
      email: { type: "string", format: "email" },
      message: { type: "string", minLength: 1 },
      seats: { type: "integer", minimum: 1 },
      ticket: { type: "integer", format: "int64" },
    },
  },
  initial: "done",
  states: { done: { type: "final", output: "$.trigger" } },
};
const GOOD = { email: "ada@example.com", message: "Hello" };

describe("forms", () => {
  let triggers: TestTriggers;
  let workflowId: number;
  beforeAll(async () => {
    triggers = await startTriggers(undefined);
    workflowId = (await triggers.oven.call("POST", "workflows", { name: "Contact", definition })).body.id;
  });
  afterAll(() => triggers.stop());

  const make = (config: object = {}, more: object = {}): Promise<Trigger> =>
    triggers.make({ type: "form", name: "Contact us", target: { kind: "workflow", workflowId }, config, ...more });
  const show = (token: string | null) => triggers.oven.call("GET", `forms/${token}`, undefined, { key: null });
  const send = (token: string | null, values: object, more: object = {}, address = "203.0.113.9") =>
    triggers.oven.call(
      "POST",
      `forms/${token}`,
      { submission: randomUUID(), values, ...more },
      { key: null, headers: { "x-forwarded-for": address } },
    );

  it("ask what the workflow takes, and start a run with what was filled in", async () => {
    const { id, token } = await make({ title: "Write to us", description: "We answer.", thanks: "Bye!" });
    const shown = await show(token);
    expect(shown.body).toMatchObject({
      title: "Write to us",
      description: "We answer.",
      submitLabel: "Send",
      open: true,
    });
    expect(shown.body.fields.map(({ name }: { name: string }) => name)).toEqual([
      "email",
      "message",
      "seats",
      "ticket",
    ]);
    const sent = await send(token, GOOD);
    expect([sent.status, sent.body]).toEqual([200, { message: "Bye!", redirect: null }]);
    const [delivery] = await triggers.deliveries(id);
    expect(delivery).toMatchObject({ decision: "started", payload: GOOD });
    const { executionId } = delivery ?? {};
    await expect
      .poll(async () => (await triggers.oven.call("GET", `workflow-executions/${executionId}`)).body.status)
      .toBe("completed");
    const run = (await triggers.oven.call("GET", `workflow-executions/${executionId}`)).body;
    expect(run).toMatchObject({ triggerEvent: "form", input: GOOD });
  });

  it("refuse a number that would be changed, and keep it as text where the workflow takes such", async () => {
    const { id, token } = await make();
    const ticket = longNumber("7615917337495251231");
    const refused = await send(token, { ...GOOD, seats: ticket });
    expect([refused.status, refused.body.error]).toMatchObject([
      400,
      { code: "NUMBER_NOT_EXACT", path: "$.values.seats" },
    ]);
    expect(await triggers.deliveries(id)).toEqual([]);
    expect((await send(token, { ...GOOD, ticket })).status).toBe(200);
    expect((await triggers.deliveries(id))[0]?.payload).toEqual({ ...GOOD, ticket: "7615917337495251231" });
  });

  it("say for each field what is wrong, and start nothing", async () => {
    const { id, token } = await make();
    const { status, body } = await send(token, { email: "nobody", seats: 0 });
    expect([status, body.error.code]).toEqual([400, "INVALID_INPUT"]);
    const problems = body.error.details.problems.map(({ path }: { path: string }) => path);
    expect(problems).toEqual(expect.arrayContaining(["$.message", "$.email", "$.seats"]));
    expect((await send(token, { ...GOOD, extra: 1 })).status).toBe(400);
    expect(await triggers.deliveries(id)).toEqual([]);
  });

  it("sent twice start one run", async () => {
    const { id, token } = await make();
    const submission = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => send(token, GOOD, { submission })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await triggers.deliveries(id)).toHaveLength(1);
    expect((await send(token, { ...GOOD, message: "Other" }, { submission })).body.error.code).toBe(
      "DELIVERY_ID_REUSED",
    );
  });

  it("are thanked for by programs too, and start nothing of what they send", async () => {
    const { id, token } = await make({ redirectUrl: "https://example.com/thanks" });
    const sent = await send(token, GOOD, { website: "https://spam.example" });
    expect(sent.body).toEqual({ message: "Thank you. This was received.", redirect: "https://example.com/thanks" });
    const [delivery] = await triggers.deliveries(id);
    expect(delivery).toMatchObject({ decision: "refused", payload: {}, executionId: null });
  });

  it("are closed while they, or their workflow, are switched off", async () => {
    const { id, token } = await make();
    await triggers.oven.call("PUT", `triggers/${id}`, { enabled: false });
    expect((await show(token)).body).toMatchObject({ open: false, fields: [] });
    const sent = await send(token, GOOD);
    expect([sent.status, sent.body.error.code]).toEqual([409, "TRIGGER_DISABLED"]);
    expect(await triggers.deliveries(id)).toMatchObject([{ decision: "skipped", payload: {} }]);
    await triggers.oven.call("PUT", `triggers/${id}`, { enabled: true });
    await triggers.oven.call("PUT", `workflows/${workflowId}`, { enabled: false });
    expect((await show(token)).body.open).toBe(false);
    await triggers.oven.call("PUT", `workflows/${workflowId}`, { enabled: true });
    expect((await show(token)).body.open).toBe(true);
    expect((await show("unknown")).status).toBe(404);
    const input = { email: "$.body.email", message: "$.body.message" };
    const hook = await triggers.make({ type: "webhook", name: "h", target: { kind: "workflow", workflowId }, input });
    expect((await show(hook.token)).status).toBe(404);
  });

  it("take so much a minute from one address, and leave others alone", async () => {
    const { token } = await make();
    const address = "8.8.8.8";
    const answers = [];
    for (let count = 0; count < 32; count++) answers.push((await send(token, { email: "x" }, {}, address)).status);
    expect(answers.slice(0, 30)).toEqual(Array(30).fill(400));
    expect(answers.at(-1)).toBe(429);
    expect((await send(token, GOOD, {}, "9.9.9.9")).status).toBe(200);
  });
});
