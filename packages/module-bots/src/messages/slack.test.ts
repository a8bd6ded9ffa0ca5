import type { Bot } from "@oven/contract/agent";
import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SlackBots, startSlackBots } from "./testing/start-slack-bots.ts";
import { SIGNING_SECRET, SLACK_TOKEN } from "./testing/start-workspace.ts";

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
  let stage: SlackBots;
  let agent: number;
  let bot: Bot;

  beforeAll(async () => {
    stage = await startSlackBots();
    agent = await stage.newAgent();
    bot = await newBot();
    // U1 is an operator, once the first message has offered an address.
    await stage.slack.say(bot.eventsPath, { text: "Hi" });
    await stage.oven.tick();
    await stage.oven.person("operator", "U1");
  });
  beforeEach(() => stage.clear());
  afterAll(() => stage?.stop());

  const newBot = (more: object = {}) => stage.newBot({ target: { kind: "agent", id: agent }, ...more });
  const asked = () => stage.server.requests.map(({ body }) => JSON.stringify(body));

  it("answers a mention in its thread: a sign at once, which becomes the answer", async () => {
    stage.replies.push({ text: "**Hello** <@U2>, see [docs](https://example.com) & ask." });
    const { status, ts } = await stage.slack.say(bot.eventsPath, { text: "<@UBOT> who &lt;are&gt; you?" });
    expect(status).toBe(200);
    expect(stage.slack.messages).toEqual([]);
    await stage.oven.once();
    expect(stage.lines()).toEqual(["Working on it …"]);
    await stage.oven.tick();
    expect(stage.slack.messages).toMatchObject([{ channel: "C1", thread_ts: ts }]);
    expect(stage.lines()).toEqual(["*Hello* &lt;@U2&gt;, see docs (https://example.com) &amp; ask."]);
    expect(asked()[0]).toContain("who <are> you?");
    expect(stage.slack.calls).toEqual(["chat.postMessage", "chat.update"]);
  });

  it("goes on with the conversation in the thread, and begins another one elsewhere", async () => {
    stage.replies.push({ text: "Four" }, { text: "Eight" }, { text: "What?" });
    const { ts } = await stage.slack.say(bot.eventsPath, { text: "2 + 2?" });
    await stage.oven.tick();
    await stage.slack.say(bot.eventsPath, { text: "twice that?", thread_ts: ts });
    await stage.oven.tick();
    await stage.slack.say(bot.eventsPath, { text: "and now?" });
    await stage.oven.tick();
    expect(stage.lines()).toEqual(["Four", "Eight", "What?"]);
    expect(asked()[1]).toContain("2 + 2?");
    expect(asked()[1]).toContain("Four");
    expect(asked()[2]).not.toContain("2 + 2?");
  });

  it("answers a message once that Slack sends three times", async () => {
    stage.replies.push({ text: "Once" });
    const { ts } = await stage.slack.say(bot.eventsPath, { text: "again?" });
    await stage.slack.say(bot.eventsPath, { text: "again?", ts });
    await stage.oven.tick();
    await stage.slack.say(bot.eventsPath, { text: "again?", ts });
    await stage.oven.tick();
    expect(stage.lines()).toEqual(["Once"]);
    expect(stage.server.requests).toHaveLength(1);
  });

  it.each([
    ["signed with another secret", { secret: "another" }, "SIGNATURE_INVALID"],
    ["signed more than five minutes ago", { age: 301 }, "TIMESTAMP_REFUSED"],
  ])("refuses what was %s", async (_what, forgery, code) => {
    const answer = await stage.slack.say(bot.eventsPath, { text: "pay me" }, forgery);
    expect(answer).toMatchObject({ status: 401, body: expect.stringContaining(code) });
    await stage.oven.tick();
    expect(stage.slack.messages).toEqual([]);
  });

  it("answers the challenge by which Slack tries the address", async () => {
    const body = JSON.stringify({
      type: "url_verification",
      challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
    });
    const answer = await stage.slack.send(bot.eventsPath, body);
    expect(await answer.json()).toEqual({ challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P" });
    expect((await stage.slack.send(bot.eventsPath, body, { secret: "another" })).status).toBe(401);
  });

  it("says to a person who is not linked, and to no one else, how to link; whatever name they have", async () => {
    await stage.slack.say(bot.eventsPath, { text: "hello", user: "U9", username: "person1" });
    await stage.oven.tick();
    expect(stage.slack.messages).toMatchObject([
      { to: "U9", text: expect.stringMatching(/\/link-account\/[\w-]{43}/) },
    ]);
    expect(stage.server.requests).toEqual([]);
  });

  it("posts the answer once where its posts are not heard, or Slack asks to wait", async () => {
    stage.replies.push({ text: "Here" });
    stage.slack.trouble.push({ method: "chat.postMessage", how: "lost" }, { method: "chat.update", how: 429 });
    await stage.slack.say(bot.eventsPath, { text: "where?" });
    await stage.oven.tick();
    stage.clock.now = new Date(stage.clock.now.getTime() + 2_000);
    await stage.oven.tick();
    expect(stage.lines()).toEqual(["Working on it …"]);
    expect(stage.slack.calls).toEqual(["chat.postMessage", "conversations.replies", "chat.update"]);
    stage.clock.now = new Date(stage.clock.now.getTime() + 6_999);
    await stage.oven.tick();
    expect(stage.lines()).toEqual(["Working on it …"]);
    stage.clock.now = new Date(stage.clock.now.getTime() + 1);
    await stage.oven.tick();
    expect(stage.lines()).toEqual(["Here"]);
    expect((await stage.oven.call("GET", `bots/${bot.id}`)).body.lastError).toBeNull();
  });

  it("answers after the server was killed between the run and its answer, once", async () => {
    stage.replies.push({ text: "Still here" });
    await stage.slack.say(bot.eventsPath, { text: "alive?" });
    await stage.oven.once();
    await stage.restart();
    expect(stage.lines()).toEqual(["Working on it …"]);
    await stage.oven.tick();
    stage.clock.now = new Date(stage.clock.now.getTime() + 60_001);
    await stage.oven.tick();
    expect(stage.lines()).toEqual(["Still here"]);
    expect(stage.server.requests).toHaveLength(1);
  });

  const paying = () => stage.newAgent({ toolBindings: ["shop.pay"], systemPrompt: "Pay what is asked." });
  const pay: ModelReply = { toolCalls: [{ id: "p", name: "shop_pay", arguments: { id: 7 } }] };

  it("shows a review with its buttons in the thread, and goes on there once a person has decided", async () => {
    const payer = await newBot({ target: { kind: "agent", id: await paying() } });
    stage.replies.push(pay, { text: "Paid 7" });
    const { ts } = await stage.slack.say(payer.eventsPath, { text: "pay 7" });
    await stage.oven.tick();
    const [sign, review] = stage.slack.messages;
    expect(sign?.text).toContain("waits for a decision");
    expect(review).toMatchObject({ channel: "C1", thread_ts: ts });
    expect(stage.oven.paid).toEqual([]);
    await stage.oven.person("reviewer", await unlinked(payer, "U2"));
    expect((await stage.slack.press(payer.actionsPath ?? "", "U2", review, "oven-approve")).status).toBe(200);
    await stage.oven.resumed();
    await stage.oven.tick();
    expect(stage.oven.paid).toEqual([{ id: 7 }]);
    expect(sign?.text).toBe("Paid 7");
    await stage.oven.notify();
    expect(JSON.stringify(review?.blocks)).toContain("Approved by reviewer");
    expect(JSON.stringify(review?.blocks)).not.toContain("oven-approve");
  });

  it("decides nothing by a button for an account that is not linked", async () => {
    const payer = await newBot({ target: { kind: "agent", id: await paying() } });
    stage.replies.push(pay);
    await stage.slack.say(payer.eventsPath, { text: "pay 7" });
    await stage.oven.tick();
    const before = stage.oven.paid.length;
    await stage.slack.press(payer.actionsPath ?? "", "U77", stage.slack.messages[1], "oven-approve");
    await stage.oven.tick();
    expect(stage.oven.paid).toHaveLength(before);
  });

  it("answers guests of its workspace within the rights that the bot gives them, and no others", async () => {
    const open = await newBot({ guests: { permissions: ["agents.invoke"] } });
    stage.replies.push({ text: "Welcome" });
    await stage.slack.say(open.eventsPath, { text: "hello", user: "U50" });
    await stage.oven.tick();
    expect(stage.lines()).toEqual(["Welcome"]);
    stage.slack.messages.length = 0;
    await stage.slack.say(open.eventsPath, { text: "hello", user: "U51", user_team: "T0666" });
    await stage.oven.tick();
    expect(stage.slack.messages).toMatchObject([{ to: "U51", text: expect.stringContaining("/link-account/") }]);
    const closed = await newBot({ guests: { permissions: [] } });
    stage.slack.messages.length = 0;
    await stage.slack.say(closed.eventsPath, { text: "hello", user: "U50" });
    await stage.oven.tick();
    expect(stage.lines()[0]).toContain("agents.invoke");
  });

  it("gives guests nothing that the person who saves the bot may not do", async () => {
    const { key } = await stage.oven.person("editor");
    const body = { name: "Ada", connection: bot.connection, target: bot.target };
    const refused = await stage.oven.call(
      "POST",
      "bots",
      { ...body, guests: { permissions: ["secrets.read"] } },
      { key },
    );
    expect(refused.status).toBe(403);
    const owner = { ...body, guests: { permissions: ["secrets.nothing-of-this-kind"] } };
    expect((await stage.oven.call("POST", "bots", owner)).status).toBe(201);
  });

  it("begins anew with what was said when another person goes on in a thread", async () => {
    const open = await newBot({ guests: { permissions: ["agents.invoke"] } });
    stage.replies.push({ text: "Four" }, { text: "Eight" });
    const { ts } = await stage.slack.say(open.eventsPath, { text: "2 + 2?" });
    await stage.oven.tick();
    await stage.slack.say(open.eventsPath, { text: "twice that?", thread_ts: ts, user: "U50" });
    await stage.oven.tick();
    expect(asked()[1]).toContain("2 + 2?");
    expect(asked()[1]).toContain("Four");
    const owners = await stage.db.query("select user_id from agent_sessions order by id desc limit 2");
    expect(new Set(owners.map(({ user_id }) => user_id)).size).toBe(2);
  });

  it("answers so many messages of a person in an hour, and says so once", async () => {
    const strict = await newBot({ perHour: 1 });
    stage.replies.push({ text: "One" });
    for (const text of ["one", "two", "three"]) {
      await stage.slack.say(strict.eventsPath, { text });
      await stage.oven.tick();
    }
    expect(stage.slack.messages).toMatchObject([
      { text: "One" },
      { to: "U1", text: expect.stringContaining("the limit") },
    ]);
    expect(stage.slack.messages).toHaveLength(2);
    for (const text of ["one", "two", "three"]) {
      await stage.slack.say(strict.eventsPath, { text, user: "U90" });
      await stage.oven.tick();
    }
    expect(stage.slack.messages.slice(2)).toMatchObject([
      { to: "U90", text: expect.stringContaining("/link-account/") },
      { to: "U90", text: expect.stringContaining("the limit") },
    ]);
    expect(stage.slack.messages).toHaveLength(4);
  });

  it("takes no message of another workspace that has installed the same app", async () => {
    const event = { type: "app_mention", channel: "C1", user: "U1", ts: "1700009999.000100", text: "hello" };
    const payload = { type: "event_callback", team_id: "T0666", event };
    expect((await stage.slack.send(bot.eventsPath, JSON.stringify(payload))).status).toBe(200);
    await stage.oven.tick();
    expect([stage.slack.messages, stage.server.requests]).toEqual([[], []]);
  });

  it("answers what it listens to: direct messages, mentions and channels that are named", async () => {
    const quiet = await newBot({ listens: { mentions: false, direct: true, channels: ["C7"] } });
    stage.replies.push({ text: "Direct" }, { text: "Channel" });
    await stage.slack.say(quiet.eventsPath, { text: "<@UBOT> hello" });
    await stage.slack.say(quiet.eventsPath, { type: "message", channel: "D1", channel_type: "im", text: "hello" });
    await stage.slack.say(quiet.eventsPath, { type: "message", channel: "C7", channel_type: "channel", text: "all" });
    await stage.slack.say(quiet.eventsPath, {
      type: "message",
      channel: "C7",
      channel_type: "channel",
      text: "I",
      bot_id: "B1",
    });
    await stage.slack.say(quiet.eventsPath, {
      type: "message",
      channel: "C7",
      text: "old",
      subtype: "message_changed",
    });
    await stage.oven.tick();
    expect(stage.slack.messages.map(({ channel, thread_ts }) => [channel, thread_ts === undefined])).toEqual(
      expect.arrayContaining([
        ["D1", true],
        ["C7", false],
      ]),
    );
    expect(stage.slack.messages).toHaveLength(2);
  });

  it("is reached by its own address and signing secret only, and by its own tenant", async () => {
    const stranger = await stage.oven.owner(2);
    expect((await stage.oven.call("GET", "bots", undefined, { key: stranger })).body).toEqual([]);
    expect((await stage.oven.call("GET", `bots/${bot.id}`, undefined, { key: stranger })).status).toBe(404);
    expect((await stage.oven.call("PUT", `bots/${bot.id}`, { enabled: false }, { key: stranger })).status).toBe(404);
    const test = await stage.oven.call("POST", `bots/${bot.id}/test`, { conversation: "C1" }, { key: stranger });
    expect([test.status, stage.slack.messages]).toEqual([404, []]);
    // A bot of the other tenant on the same workspace: its links are its own.
    const names = { hosts: [stage.slack.host], value: SLACK_TOKEN };
    await stage.oven.call("POST", "secrets", { name: "slack-token", ...names }, { key: stranger });
    await stage.oven.call(
      "POST",
      "secrets",
      { name: "slack-signing", value: SIGNING_SECRET, hosts: [] },
      { key: stranger },
    );
    const helper = { name: "Other", model: "openai:house", systemPrompt: "Be short." };
    const { body: foreign } = await stage.oven.call("POST", "agents", helper, { key: stranger });
    const own = { name: "Eve", connection: bot.connection };
    const taken = await stage.oven.call("POST", "bots", { ...own, target: bot.target }, { key: stranger });
    expect(taken.status).toBe(404);
    const target = { kind: "agent", id: foreign.id };
    const { body: eve } = await stage.oven.call("POST", "bots", { ...own, target }, { key: stranger });
    await stage.slack.say(eve.eventsPath, { text: "hello" });
    await stage.oven.tick();
    expect(stage.slack.messages).toMatchObject([{ to: "U1", text: expect.stringContaining("/link-account/") }]);
    expect((await stage.slack.say("/api/bots/slack/nothing/events", { text: "hello" })).status).toBe(404);
    expect((await stage.slack.say(bot.eventsPath.replace("slack", "teams").replace("/events", ""), {})).status).toBe(
      404,
    );
  });

  it("takes nothing while it is off, and says what went wrong last", async () => {
    const off = await newBot({ enabled: false });
    expect((await stage.slack.say(off.eventsPath, { text: "hello" })).status).toBe(404);
    stage.slack.trouble.push({ method: "auth.test", how: "invalid_auth" });
    const broken = await newBot();
    expect(broken).toMatchObject({ lastError: expect.stringContaining("invalid_auth"), workspace: null });
    const { body } = await stage.oven.call("POST", `bots/${broken.id}/test`, { conversation: "C5" });
    expect(body).toMatchObject({ lastError: null, workspace: "T0001" });
    expect(stage.slack.messages).toMatchObject([{ channel: "C5" }]);
  });

  it("gives files to the agent: text in the message, and all of them to a target that takes files", async () => {
    stage.replies.push({ text: "It is 42" });
    const file = { name: "bill.txt", mimetype: "text/plain", url_private: `${stage.slack.origin}/files/bill.txt` };
    const elsewhere = { name: "steal.txt", mimetype: "text/plain", url_private: "http://127.0.0.1:1/steal" };
    const event = { text: "how much?", files: [file, elsewhere] };
    await stage.slack.say(bot.eventsPath, event);
    await stage.oven.tick();
    expect(asked()[0]).toContain(String.raw`Attached file bill.txt (text/plain, 9 bytes):\ntotal: 42`);
    expect(asked()[0]).not.toContain("steal");
    const { body: flow } = await stage.oven.call("POST", "workflows", { name: "Files", definition: COUNTS });
    const counting = await newBot({ target: { kind: "workflow", id: flow.id } });
    stage.slack.messages.length = 0;
    await stage.slack.say(counting.eventsPath, event);
    await stage.oven.tick();
    expect(stage.lines()).toEqual(["bill.txt, 9 bytes"]);
  });

  /** The account of a person whom the bot has offered an address. */
  async function unlinked({ eventsPath }: Bot, account: string): Promise<string> {
    await stage.slack.say(eventsPath, { text: "hello", user: account });
    await stage.oven.tick();
    return account;
  }
});
