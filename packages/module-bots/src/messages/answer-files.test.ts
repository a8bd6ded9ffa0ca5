import type { Bot } from "@oven/contract/agent";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BotsOven, startBots } from "./testing/start-bots.ts";
import { SIGNING_SECRET, SLACK_TOKEN, startWorkspace, type Workspace } from "./testing/start-workspace.ts";

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
  const clock = { now: new Date() };
  let db: Database;
  let server: ModelServer;
  let slack: Workspace;
  let oven: BotsOven;
  let replies: ModelReply[] = [];
  let painter: Bot;
  let echo: Bot;

  beforeAll(async () => {
    db = await createTestPglite();
    server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
      models: ["house-model"],
    });
    slack = await startWorkspace(clock, () => oven);
    oven = await startBots(clock, { server, db, outboundAllow: [slack.origin] });
    await oven.call("POST", "secrets", { name: "slack-token", value: SLACK_TOKEN, hosts: [slack.host] });
    await oven.call("POST", "secrets", { name: "slack-signing", value: SIGNING_SECRET, hosts: [] });
    const agent = { name: "Painter", model: "openai:house", systemPrompt: "Draw.", toolBindings: ["ai.generateImage"] };
    painter = await newBot({ kind: "agent", id: (await oven.call("POST", "agents", agent)).body.id });
    const { body: flow } = await oven.call("POST", "workflows", { name: "Returns", definition: RETURNS });
    echo = await newBot({ kind: "workflow", id: flow.id });
  });
  beforeEach(() => {
    clock.now = new Date(clock.now.getTime() + 3_600_001);
    for (const list of [slack.messages, slack.shared, slack.calls, slack.trouble]) list.length = 0;
    slack.uploads.origin = slack.origin;
    replies = [];
  });
  afterAll(async () => {
    await oven.stop();
    await Promise.all([slack.stop(), server.close()]);
    await db.close();
  });

  async function newBot(target: object): Promise<Bot> {
    const secrets = { token: { $secret: "slack-token" }, signingSecret: { $secret: "slack-signing" } };
    const connection = { type: "slack-app", ...secrets, host: slack.host };
    const made = await oven.call("POST", "bots", { name: "Ada", connection, target, guests: GUESTS });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body;
  }
  const lines = () => slack.messages.map(({ text }) => text);
  const later = async (ms: number) => {
    clock.now = new Date(clock.now.getTime() + ms);
    await oven.tick();
  };
  const lastError = async ({ id }: Bot) => (await oven.call("GET", `bots/${id}`)).body.lastError;
  const given = (name: string) => ({ name, mimetype: "text/plain", url_private: `${slack.origin}/files/${name}` });

  it("are shown in the thread after the text: pictures that an agent makes", async () => {
    replies = [DRAW, { text: "A loaf" }];
    const { ts } = await slack.say(painter.eventsPath, { text: "draw" });
    await oven.tick();
    expect(lines()).toEqual(["A loaf"]);
    expect(slack.shared).toMatchObject([
      { channel: "C1", thread_ts: ts, name: expect.stringMatching(/^file-\d+\.png$/) },
    ]);
    expect(slack.shared[0]?.data.subarray(1, 4).toString()).toBe("PNG");
    expect(slack.calls.slice(-3)).toEqual([
      "chat.update",
      "files.getUploadURLExternal",
      "files.completeUploadExternal",
    ]);
  });

  it("are shown with their names: what the output of a workflow refers to", async () => {
    await slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt"), given("copy.txt")] });
    await oven.tick();
    expect(lines()).toEqual(["Here"]);
    expect(slack.shared.map(({ name, data }) => [name, data.toString()])).toEqual([
      ["bill.txt", "total: 42"],
      ["copy.txt", "total: 43"],
    ]);
  });

  it("are shown once where Slack is not heard, or asks to wait", async () => {
    slack.trouble.push(
      { method: "files.getUploadURLExternal", how: 429 },
      { method: "files.completeUploadExternal", how: "lost" },
    );
    await slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt")] });
    await oven.tick();
    expect([lines(), slack.shared]).toEqual([["Here"], []]);
    await later(7_000);
    expect(slack.shared).toHaveLength(1);
    await later(60_001);
    expect([lines(), slack.shared.length]).toEqual([["Here"], 1]);
    expect(slack.calls.at(-1)).toBe("files.info");
    expect(await lastError(echo)).toBeNull();
  });

  it("stay on the page of the run where the app may not write them, and the thread says so", async () => {
    slack.trouble.push({ method: "files.getUploadURLExternal", how: "missing_scope" });
    await slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt")] });
    await oven.tick();
    expect(slack.shared).toEqual([]);
    expect(lines()).toEqual([
      "Here",
      expect.stringMatching(
        /^On the page of the run, and not here: `bill\.txt`\. http:\/\/\S+\/workflow-executions\/\d+/,
      ),
    ]);
    expect(await lastError(echo)).toContain("missing_scope");
    await slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt")] });
    await oven.tick();
    expect([slack.shared.length, await lastError(echo)]).toEqual([1, null]);
  });

  it("go to no address that is not of Slack", async () => {
    slack.uploads.origin = server.url.replace(/\/v1$/, "");
    await slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt")] });
    await oven.tick();
    expect(lines()[1]).toContain("`bill.txt`");
    expect(await lastError(echo)).toContain("is not of");
  });

  it("are not those of others: a reference that does not fit is followed nowhere", async () => {
    await slack.say(echo.eventsPath, { text: "back", files: [given("bill.txt")] });
    await oven.once();
    await oven.tick();
    slack.shared.length = 0;
    await db.query("update run_blobs set sha256 = repeat('0', 64)");
    await db.query(
      `update bot_messages set status = 'answering', ended_at = null, next_attempt_at = $1,
         answer_files = jsonb_set(answer_files, '{0,state}', '"waiting"')
       where id = (select max(id) from bot_messages)`,
      [clock.now.toISOString()],
    );
    await oven.tick();
    expect(slack.shared).toEqual([]);
    expect(lines().at(-1)).toContain("`bill.txt`");
  });
});
