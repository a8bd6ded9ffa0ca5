import type { Bot } from "@oven/contract/agent";
import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SlackBots, startSlackBots } from "./testing/start-slack-bots.ts";

/** Gives back the files it was given, with a text. */
const RETURNS = {
  payloadSchema: {
    type: "object",
    properties: { message: { type: "string" }, files: { type: "array" } },
    required: ["message"],
  },
  initial: "say",
  states: {
    say: {
      invoke: {
        src: "core.transform",
        input: { mapping: { reply: "Here", files: "$.trigger.files" } },
        onDone: "done",
      },
    },
    done: { type: "final", output: "$.say_output" },
  },
};
const DRAW: ModelReply = { toolCalls: [{ id: "d", name: "ai_generateImage", arguments: { prompt: "A loaf" } }] };
const GUESTS = { permissions: ["agents.invoke", "workflows.execute", "ai.generate"] };

describe("files of answers in Slack", () => {
  let stage: SlackBots;
  let painter: Bot;
  let echo: Bot;

  beforeAll(async () => {
    stage = await startSlackBots();
    const drawing = await stage.newAgent({ toolBindings: ["ai.generateImage"] });
    painter = await stage.newBot({ target: { kind: "agent", id: drawing }, guests: GUESTS });
    const { body: flow } = await stage.oven.call("POST", "workflows", { name: "Returns", definition: RETURNS });
    echo = await stage.newBot({ target: { kind: "workflow", id: flow.id }, guests: GUESTS });
  });
  beforeEach(() => stage.clear());
  afterAll(() => stage?.stop());

  const given = (name: string) => ({
    name,
    mimetype: "text/plain",
    url_private: `${stage.slack.origin}/files/${name}`,
  });

  it("are shown in the thread after the text: pictures that an agent makes", async () => {
    stage.replies.push(DRAW, { text: "A loaf" });
    const { ts } = await stage.slack.say(painter.eventsPath, { text: "draw" });
    await stage.oven.tick();
    expect(stage.lines()).toEqual(["A loaf"]);
    expect(stage.slack.shared).toMatchObject([
      { channel: "C1", thread_ts: ts, name: expect.stringMatching(/^file-\d+\.png$/) },
    ]);
    expect(stage.slack.shared[0]?.data.subarray(1, 4).toString()).toBe("PNG");
    expect(stage.slack.calls.slice(-3)).toEqual([
      "chat.update",
      "files.getUploadURLExternal",
      "files.completeUploadExternal",
    ]);
  });

  it("are shown with their names: what the output of a workflow refers to", async () => {
    await stage.slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt"), given("copy.txt")] });
    await stage.oven.tick();
    expect(stage.lines()).toEqual(["Here"]);
    expect(stage.slack.shared.map(({ name, data }) => [name, data.toString()])).toEqual([
      ["bill.txt", "total: 42"],
      ["copy.txt", "total: 43"],
    ]);
  });

  it("are shown once where Slack is not heard, or asks to wait", async () => {
    stage.slack.trouble.push(
      { method: "files.getUploadURLExternal", how: 429 },
      { method: "files.completeUploadExternal", how: "lost" },
    );
    await stage.slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt")] });
    await stage.oven.tick();
    expect([stage.lines(), stage.slack.shared]).toEqual([["Here"], []]);
    await stage.later(7_000);
    expect(stage.slack.shared).toHaveLength(1);
    await stage.later(60_001);
    expect([stage.lines(), stage.slack.shared.length]).toEqual([["Here"], 1]);
    expect(stage.slack.calls.at(-1)).toBe("files.info");
    expect(await stage.lastError(echo)).toBeNull();
  });

  it("stay on the page of the run where the app may not write them, and the thread says so", async () => {
    stage.slack.trouble.push({ method: "files.getUploadURLExternal", how: "missing_scope" });
    await stage.slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt")] });
    await stage.oven.tick();
    expect(stage.slack.shared).toEqual([]);
    expect(stage.lines()).toEqual([
      "Here",
      expect.stringMatching(
        /^On the page of the run, and not here: `bill\.txt`\. http:\/\/\S+\/workflow-executions\/\d+/,
      ),
    ]);
    expect(await stage.lastError(echo)).toContain("missing_scope");
    await stage.slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt")] });
    await stage.oven.tick();
    expect([stage.slack.shared.length, await stage.lastError(echo)]).toEqual([1, null]);
  });

  it("go to no address that is not of Slack", async () => {
    stage.slack.uploads.origin = stage.server.url.replace(/\/v1$/, "");
    await stage.slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt")] });
    await stage.oven.tick();
    expect(stage.lines()[1]).toContain("`bill.txt`");
    expect(await stage.lastError(echo)).toContain("is not of");
  });

  it("are not those of others: a reference that does not fit is followed nowhere", async () => {
    await stage.slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt")] });
    await stage.oven.once();
    await stage.oven.tick();
    stage.slack.shared.length = 0;
    await stage.db.query("update run_blobs set sha256 = repeat('0', 64)");
    await stage.db.query(
      `update bot_messages set status = 'answering', ended_at = null, next_attempt_at = $1,
         answer_files = jsonb_set(answer_files, '{0,state}', '"waiting"')
       where id = (select max(id) from bot_messages)`,
      [stage.clock.now.toISOString()],
    );
    await stage.oven.tick();
    expect(stage.slack.shared).toEqual([]);
    expect(stage.lines().at(-1)).toContain("`bill.txt`");
  });
});
