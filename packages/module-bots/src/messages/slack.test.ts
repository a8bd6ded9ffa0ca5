import type { Bot } from "@oven/contract/agent";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BotsOven, startBots } from "./testing/start-bots.ts";
import { SIGNING_SECRET, SLACK_TOKEN, startWorkspace, type Workspace } from "./testing/start-workspace.ts";

/** A workflow that takes files. */
const COUNTS = {
  payloadSchema: {
    type: "object",
    properties: { message: { type: "string" }, files: { type: "array" } },
    required: ["message"],
    additionalProperties: false,
  },
  initial: "say",
  states: {
    say: {
      invoke: {
        src: "core.transform",
        input: { mapping: { reply: "{{ $.trigger.files[0].filename }}, {{ $.trigger.files[0].blob.bytes }} bytes" } },
        onDone: "done",
      },
    },
    done: { type: "final", output: "$.say_output" },
  },
};

describe("bots in Slack", () => {
  const clock = { now: new Date() };
  let db: Database;
  let server: ModelServer;
  let slack: Workspace;
  let oven: BotsOven;
  let replies: ModelReply[] = [];
  let agent: number;
  let bot: Bot;

  beforeAll(async () => {
    db = await createTestPglite();
    server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
      models: ["house-model"],
    });
    slack = await startWorkspace(clock, () => oven);
    oven = await startBots(clock, { server, db, outboundAllow: [slack.origin] });
    await oven.call("POST", "secrets", { name: "slack-token", value: SLACK_TOKEN, hosts: [slack.host] });
    await oven.call("POST", "secrets", { name: "slack-signing", value: SIGNING_SECRET, hosts: [] });
    agent = await newAgent();
    bot = await newBot();
    // U1 is an operator, once the first message has offered an address.
    await slack.say(bot.eventsPath, { text: "Hi" });
    await oven.tick();
    await oven.person("operator", "U1");
  });
  beforeEach(() => {
    clock.now = new Date(clock.now.getTime() + 3_600_001);
    slack.messages.length = 0;
    slack.calls.length = 0;
    slack.trouble.length = 0;
    server.requests.length = 0;
    replies = [];
  });
  afterAll(async () => {
    await oven.stop();
    await Promise.all([slack.stop(), server.close()]);
    await db.close();
  });

  async function newAgent(more: object = {}): Promise<number> {
    const body = { name: `Helper ${Math.random()}`, model: "openai:house", systemPrompt: "Be short.", ...more };
    const made = await oven.call("POST", "agents", body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.id;
  }
  async function newBot(more: object = {}): Promise<Bot> {
    const connection = {
      type: "slack-app",
      token: { $secret: "slack-token" },
      signingSecret: { $secret: "slack-signing" },
      host: slack.host,
    };
    const made = await oven.call("POST", "bots", {
      name: "Ada",
      connection,
      target: { kind: "agent", id: agent },
      ...more,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body;
  }
  const asked = () => server.requests.map(({ body }) => JSON.stringify(body));
  const lines = () => slack.messages.map(({ text }) => text);

  it("answers a mention in its thread: a sign at once, which becomes the answer", async () => {
    replies = [{ text: "**Hello** <@U2>, see [docs](https://example.com) & ask." }];
    const { status, ts } = await slack.say(bot.eventsPath, { text: "<@UBOT> who &lt;are&gt; you?" });
    expect(status).toBe(200);
    expect(slack.messages).toEqual([]);
    await oven.once();
    expect(lines()).toEqual(["Working on it …"]);
    await oven.tick();
    expect(slack.messages).toMatchObject([{ channel: "C1", thread_ts: ts }]);
    expect(lines()).toEqual(["*Hello* &lt;@U2&gt;, see docs (https://example.com) &amp; ask."]);
    expect(asked()[0]).toContain("who <are> you?");
    expect(slack.calls).toEqual(["chat.postMessage", "chat.update"]);
  });

  it("goes on with the conversation in the thread, and begins another one elsewhere", async () => {
    replies = [{ text: "Four" }, { text: "Eight" }, { text: "What?" }];
    const { ts } = await slack.say(bot.eventsPath, { text: "2 + 2?" });
    await oven.tick();
    await slack.say(bot.eventsPath, { text: "twice that?", thread_ts: ts });
    await oven.tick();
    await slack.say(bot.eventsPath, { text: "and now?" });
    await oven.tick();
    expect(lines()).toEqual(["Four", "Eight", "What?"]);
    expect(asked()[1]).toContain("2 + 2?");
    expect(asked()[1]).toContain("Four");
    expect(asked()[2]).not.toContain("2 + 2?");
  });

  it("answers a message once that Slack sends three times", async () => {
    replies = [{ text: "Once" }];
    const { ts } = await slack.say(bot.eventsPath, { text: "again?" });
    await slack.say(bot.eventsPath, { text: "again?", ts });
    await oven.tick();
    await slack.say(bot.eventsPath, { text: "again?", ts });
    await oven.tick();
    expect(lines()).toEqual(["Once"]);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["signed with another secret", { secret: "another" }, "SIGNATURE_INVALID"],
    ["signed more than five minutes ago", { age: 301 }, "TIMESTAMP_REFUSED"],
  ])("refuses what was %s", async (_what, forgery, code) => {
    const answer = await slack.say(bot.eventsPath, { text: "pay me" }, forgery);
    expect(answer).toMatchObject({ status: 401, body: expect.stringContaining(code) });
    await oven.tick();
    expect(slack.messages).toEqual([]);
  });

  it("answers the challenge by which Slack tries the address", async () => {
    const body = JSON.stringify({
      type: "url_verification",
      challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
    });
    const answer = await slack.send(bot.eventsPath, body);
    expect(await answer.json()).toEqual({ challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P" });
    expect((await slack.send(bot.eventsPath, body, { secret: "another" })).status).toBe(401);
  });

  it("says to a person who is not linked, and to no one else, how to link; whatever name they have", async () => {
    await slack.say(bot.eventsPath, { text: "hello", user: "U9", username: "person1" });
    await oven.tick();
    expect(slack.messages).toMatchObject([{ to: "U9", text: expect.stringMatching(/\/link-account\/[\w-]{43}/) }]);
    expect(server.requests).toEqual([]);
  });

  it("posts the answer once where its posts are not heard, or Slack asks to wait", async () => {
    replies = [{ text: "Here" }];
    slack.trouble.push({ method: "chat.postMessage", how: "lost" }, { method: "chat.update", how: 429 });
    await slack.say(bot.eventsPath, { text: "where?" });
    await oven.tick();
    clock.now = new Date(clock.now.getTime() + 2_000);
    await oven.tick();
    expect(lines()).toEqual(["Working on it …"]);
    expect(slack.calls).toEqual(["chat.postMessage", "conversations.replies", "chat.update"]);
    clock.now = new Date(clock.now.getTime() + 6_999);
    await oven.tick();
    expect(lines()).toEqual(["Working on it …"]);
    clock.now = new Date(clock.now.getTime() + 1);
    await oven.tick();
    expect(lines()).toEqual(["Here"]);
    expect((await oven.call("GET", `bots/${bot.id}`)).body.lastError).toBeNull();
  });

  it("answers after the server was killed between the run and its answer, once", async () => {
    replies = [{ text: "Still here" }];
    await slack.say(bot.eventsPath, { text: "alive?" });
    await oven.once();
    await oven.stop();
    oven = await startBots(clock, { server, db, outboundAllow: [slack.origin] });
    expect(lines()).toEqual(["Working on it …"]);
    await oven.tick();
    clock.now = new Date(clock.now.getTime() + 60_001);
    await oven.tick();
    expect(lines()).toEqual(["Still here"]);
    expect(server.requests).toHaveLength(1);
  });

  const paying = () => newAgent({ toolBindings: ["shop.pay"], systemPrompt: "Pay what is asked." });
  const pay: ModelReply = { toolCalls: [{ id: "p", name: "shop_pay", arguments: { id: 7 } }] };

  it("shows a review with its buttons in the thread, and goes on there once a person has decided", async () => {
    const payer = await newBot({ target: { kind: "agent", id: await paying() } });
    replies = [pay, { text: "Paid 7" }];
    const { ts } = await slack.say(payer.eventsPath, { text: "pay 7" });
    await oven.tick();
    const [sign, review] = slack.messages;
    expect(sign?.text).toContain("waits for a decision");
    expect(review).toMatchObject({ channel: "C1", thread_ts: ts });
    expect(oven.paid).toEqual([]);
    await oven.person("reviewer", await unlinked(payer, "U2"));
    expect((await slack.press(payer.actionsPath ?? "", "U2", review, "oven-approve")).status).toBe(200);
    await oven.resumed();
    await oven.tick();
    expect(oven.paid).toEqual([{ id: 7 }]);
    expect(sign?.text).toBe("Paid 7");
    await oven.notify();
    expect(JSON.stringify(review?.blocks)).toContain("Approved by reviewer");
    expect(JSON.stringify(review?.blocks)).not.toContain("oven-approve");
  });

  it("decides nothing by a button for an account that is not linked", async () => {
    const payer = await newBot({ target: { kind: "agent", id: await paying() } });
    replies = [pay];
    await slack.say(payer.eventsPath, { text: "pay 7" });
    await oven.tick();
    const before = oven.paid.length;
    await slack.press(payer.actionsPath ?? "", "U77", slack.messages[1], "oven-approve");
    await oven.tick();
    expect(oven.paid).toHaveLength(before);
  });

  it("answers guests of its workspace within the rights that the bot gives them, and no others", async () => {
    const open = await newBot({ guests: { permissions: ["agents.invoke"] } });
    replies = [{ text: "Welcome" }];
    await slack.say(open.eventsPath, { text: "hello", user: "U50" });
    await oven.tick();
    expect(lines()).toEqual(["Welcome"]);
    slack.messages.length = 0;
    await slack.say(open.eventsPath, { text: "hello", user: "U51", user_team: "T0666" });
    await oven.tick();
    expect(slack.messages).toMatchObject([{ to: "U51", text: expect.stringContaining("/link-account/") }]);
    const closed = await newBot({ guests: { permissions: [] } });
    slack.messages.length = 0;
    await slack.say(closed.eventsPath, { text: "hello", user: "U50" });
    await oven.tick();
    expect(lines()[0]).toContain("agents.invoke");
  });

  it("gives guests nothing that the person who saves the bot may not do", async () => {
    const { key } = await oven.person("editor");
    const body = { name: "Ada", connection: bot.connection, target: bot.target };
    const refused = await oven.call("POST", "bots", { ...body, guests: { permissions: ["secrets.read"] } }, { key });
    expect(refused.status).toBe(403);
    const owner = { ...body, guests: { permissions: ["secrets.nothing-of-this-kind"] } };
    expect((await oven.call("POST", "bots", owner)).status).toBe(201);
  });

  it("begins anew with what was said when another person goes on in a thread", async () => {
    const open = await newBot({ guests: { permissions: ["agents.invoke"] } });
    replies = [{ text: "Four" }, { text: "Eight" }];
    const { ts } = await slack.say(open.eventsPath, { text: "2 + 2?" });
    await oven.tick();
    await slack.say(open.eventsPath, { text: "twice that?", thread_ts: ts, user: "U50" });
    await oven.tick();
    expect(asked()[1]).toContain("2 + 2?");
    expect(asked()[1]).toContain("Four");
    const owners = await db.query("select user_id from agent_sessions order by id desc limit 2");
    expect(new Set(owners.map(({ user_id }) => user_id)).size).toBe(2);
  });

  it("answers so many messages of a person in an hour, and says so once", async () => {
    const strict = await newBot({ perHour: 1 });
    replies = [{ text: "One" }];
    for (const text of ["one", "two", "three"]) {
      await slack.say(strict.eventsPath, { text });
      await oven.tick();
    }
    expect(slack.messages).toMatchObject([{ text: "One" }, { to: "U1", text: expect.stringContaining("the limit") }]);
    expect(slack.messages).toHaveLength(2);
    for (const text of ["one", "two", "three"]) {
      await slack.say(strict.eventsPath, { text, user: "U90" });
      await oven.tick();
    }
    expect(slack.messages.slice(2)).toMatchObject([
      { to: "U90", text: expect.stringContaining("/link-account/") },
      { to: "U90", text: expect.stringContaining("the limit") },
    ]);
    expect(slack.messages).toHaveLength(4);
  });

  it("takes no message of another workspace that has installed the same app", async () => {
    const event = { type: "app_mention", channel: "C1", user: "U1", ts: "1700009999.000100", text: "hello" };
    const payload = { type: "event_callback", team_id: "T0666", event };
    expect((await slack.send(bot.eventsPath, JSON.stringify(payload))).status).toBe(200);
    await oven.tick();
    expect([slack.messages, server.requests]).toEqual([[], []]);
  });

  it("answers what it listens to: direct messages, mentions and channels that are named", async () => {
    const quiet = await newBot({ listens: { mentions: false, direct: true, channels: ["C7"] } });
    replies = [{ text: "Direct" }, { text: "Channel" }];
    await slack.say(quiet.eventsPath, { text: "<@UBOT> hello" });
    await slack.say(quiet.eventsPath, { type: "message", channel: "D1", channel_type: "im", text: "hello" });
    await slack.say(quiet.eventsPath, { type: "message", channel: "C7", channel_type: "channel", text: "all" });
    await slack.say(quiet.eventsPath, {
      type: "message",
      channel: "C7",
      channel_type: "channel",
      text: "I",
      bot_id: "B1",
    });
    await slack.say(quiet.eventsPath, { type: "message", channel: "C7", text: "old", subtype: "message_changed" });
    await oven.tick();
    expect(slack.messages.map(({ channel, thread_ts }) => [channel, thread_ts === undefined])).toEqual(
      expect.arrayContaining([
        ["D1", true],
        ["C7", false],
      ]),
    );
    expect(slack.messages).toHaveLength(2);
  });

  it("is reached by its own address and signing secret only, and by its own tenant", async () => {
    const stranger = await oven.owner(2);
    expect((await oven.call("GET", "bots", undefined, { key: stranger })).body).toEqual([]);
    expect((await oven.call("GET", `bots/${bot.id}`, undefined, { key: stranger })).status).toBe(404);
    expect((await oven.call("PUT", `bots/${bot.id}`, { enabled: false }, { key: stranger })).status).toBe(404);
    const test = await oven.call("POST", `bots/${bot.id}/test`, { conversation: "C1" }, { key: stranger });
    expect([test.status, slack.messages]).toEqual([404, []]);
    // A bot of the other tenant on the same workspace: its links are its own.
    const names = { hosts: [slack.host], value: SLACK_TOKEN };
    await oven.call("POST", "secrets", { name: "slack-token", ...names }, { key: stranger });
    await oven.call("POST", "secrets", { name: "slack-signing", value: SIGNING_SECRET, hosts: [] }, { key: stranger });
    const helper = { name: "Other", model: "openai:house", systemPrompt: "Be short." };
    const { body: foreign } = await oven.call("POST", "agents", helper, { key: stranger });
    const own = { name: "Eve", connection: bot.connection };
    const taken = await oven.call("POST", "bots", { ...own, target: bot.target }, { key: stranger });
    expect(taken.status).toBe(404);
    const target = { kind: "agent", id: foreign.id };
    const { body: eve } = await oven.call("POST", "bots", { ...own, target }, { key: stranger });
    await slack.say(eve.eventsPath, { text: "hello" });
    await oven.tick();
    expect(slack.messages).toMatchObject([{ to: "U1", text: expect.stringContaining("/link-account/") }]);
    expect((await slack.say("/api/bots/slack/nothing/events", { text: "hello" })).status).toBe(404);
    expect((await slack.say(bot.eventsPath.replace("slack", "teams").replace("/events", ""), {})).status).toBe(404);
  });

  it("takes nothing while it is off, and says what went wrong last", async () => {
    const off = await newBot({ enabled: false });
    expect((await slack.say(off.eventsPath, { text: "hello" })).status).toBe(404);
    slack.trouble.push({ method: "auth.test", how: "invalid_auth" });
    const broken = await newBot();
    expect(broken).toMatchObject({ lastError: expect.stringContaining("invalid_auth"), workspace: null });
    const { body } = await oven.call("POST", `bots/${broken.id}/test`, { conversation: "C5" });
    expect(body).toMatchObject({ lastError: null, workspace: "T0001" });
    expect(slack.messages).toMatchObject([{ channel: "C5" }]);
  });

  it("gives files to the agent: text in the message, and all of them to a target that takes files", async () => {
    replies = [{ text: "It is 42" }];
    const file = { name: "bill.txt", mimetype: "text/plain", url_private: `${slack.origin}/files/bill.txt` };
    const elsewhere = { name: "steal.txt", mimetype: "text/plain", url_private: "http://127.0.0.1:1/steal" };
    const event = { text: "how much?", files: [file, elsewhere] };
    await slack.say(bot.eventsPath, event);
    await oven.tick();
    expect(asked()[0]).toContain(String.raw`Attached file bill.txt (text/plain, 9 bytes):\ntotal: 42`);
    expect(asked()[0]).not.toContain("steal");
    const { body: flow } = await oven.call("POST", "workflows", { name: "Files", definition: COUNTS });
    const counting = await newBot({ target: { kind: "workflow", id: flow.id } });
    slack.messages.length = 0;
    await slack.say(counting.eventsPath, event);
    await oven.tick();
    expect(lines()).toEqual(["bill.txt, 9 bytes"]);
  });

  /** The account of a person whom the bot has offered an address. */
  async function unlinked({ eventsPath }: Bot, account: string): Promise<string> {
    await slack.say(eventsPath, { text: "hello", user: account });
    await oven.tick();
    return account;
  }
});
