import { afterAll, beforeAll, expect, it } from "vitest";
import { type BuilderOven, startBuilderOven } from "../conversations/testing/builder-oven.ts";

let oven: BuilderOven;
beforeAll(async () => {
  oven = await startBuilderOven({ connected: false });
});
afterAll(() => oven.stop());

it("draws and tries an example without a model, and says that it is a demonstration", async () => {
  const { chatId } = await oven.start("Answer mails of customers");
  const { message, output } = await oven.settled(chatId);
  expect(message).toMatchObject({ status: "completed", simulated: true });
  expect(output?.text).toContain("This is a demonstration");
  expect(output?.proof).toMatchObject({
    ...{ valid: true, problems: [], cases: [{ name: "Example", passed: true }], notProved: ["reviews", "unbounded"] },
  });
  await oven.call("POST", `chat-sessions/${chatId}/messages`, { message: "What does it do?" });
  expect(await oven.settled(chatId)).toMatchObject({ output: { proof: null } });
});
