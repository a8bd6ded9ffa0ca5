import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installedModules } from "./modules.ts";

let oven: TestOven;

beforeAll(async () => {
  oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
});

afterAll(() => oven.stop());

test("the demo's agent looks an order up, goes on with the conversation, and has no tool for refunds", async () => {
  const ask = (message: string, sessionId?: number) =>
    oven.call("POST", "agents/shop-assistant/invoke", { message, ...(sessionId === undefined ? {} : { sessionId }) });
  const first = await ask("Where is order 8841?");
  expect(first.body).toMatchObject({ status: "completed", simulated: true, text: expect.stringContaining("8841") });
  expect(first.body.text).toContain("late");
  const second = await ask("And what about a refund?", first.body.sessionId);
  expect(second.body).toMatchObject({ status: "completed", sessionId: first.body.sessionId });
  const { body: messages } = await oven.call("GET", `agent-sessions/${first.body.sessionId}/messages`);
  expect(messages).toHaveLength(4);
  const { body: agent } = await oven.call("GET", "agents/shop-assistant");
  expect(agent).toMatchObject({ toolBindings: ["orders.*", "!orders.refund"] });
});
