import { OvenError } from "@oven/contract";
import type { Bot } from "@oven/contract/agent";
import type { ModelReply } from "@oven/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type SlackBots, startSlackBots } from "./testing/start-slack-bots.ts";

const PAY: ModelReply = { toolCalls: [{ id: "p", name: "shop_pay", arguments: { id: 7 } }] };
const TEN_MINUTES = 600_000;

describe("what happens to a bot in Slack while it answers", () => {
  let stage: SlackBots;
  let bot: Bot;
  let payer: Bot;
  let operator: { id: number; key: string };

  beforeAll(async () => {
    stage = await startSlackBots();
    bot = await stage.newBot({ target: { kind: "agent", id: await stage.newAgent() } });
    const target = { kind: "agent", id: await stage.newAgent({ toolBindings: ["shop.pay"] }) };
    payer = await stage.newBot({ target });
    await stage.slack.say(bot.eventsPath, { text: "Hi" });
    await stage.oven.tick();
    operator = await stage.oven.person("operator", "U1");
  });
  beforeEach(() => stage.clear());
  afterEach(() => {
    vi.restoreAllMocks();
  });
  afterAll(() => stage?.stop());

  const asked = () => stage.server.requests.map(({ body }) => JSON.stringify(body));
  const state = async () => {
    const [row] = await stage.db.query("select status, reason, attempts from bot_messages order by id desc limit 1");
    return row;
  };

  it("asks no agent where its token was revoked, says so on its page, and answers with the next token", async () => {
    const { slack, oven, replies, later, lines } = stage;
    slack.trouble.push({ method: "chat.postMessage", how: "token_revoked" });
    await slack.say(bot.eventsPath, { text: "hello" });
    await oven.tick();
    expect(await stage.lastError(bot)).toContain("token_revoked");
    await later(TEN_MINUTES);
    expect([lines(), asked()]).toEqual([[], []]);
    replies.push({ text: "Here again" });
    await slack.say(bot.eventsPath, { text: "hello?" });
    await oven.tick();
    expect(lines()).toEqual(["Here again"]);
    expect(await stage.lastError(bot)).toBeNull();
  });

  it("tries no more where its token was revoked before the answer was posted", async () => {
    const { slack, oven, replies, later } = stage;
    replies.push({ text: "Never heard" });
    await slack.say(bot.eventsPath, { text: "hello" });
    // The sign goes out with the good token.
    await oven.once();
    for (const method of ["chat.update", "chat.postMessage"]) slack.trouble.push({ method, how: "token_revoked" });
    await oven.tick();
    expect(await state()).toMatchObject({ status: "failed", reason: expect.stringContaining("token_revoked") });
    slack.calls.length = 0;
    await later(TEN_MINUTES);
    expect(slack.calls).toEqual([]);
  });

  it("answers although a person has deleted the sign that it works", async () => {
    const { slack, oven, replies, lines } = stage;
    replies.push(PAY, { text: "Paid 7" });
    const { ts } = await slack.say(payer.eventsPath, { text: "pay 7" });
    await oven.once();
    expect(lines()).toEqual(["Working on it …"]);
    slack.messages.length = 0;
    await oven.tick();
    const { body } = await oven.call("GET", 'reviews?filter={"status":"open"}');
    for (const { id, digest } of body) await oven.call("POST", `reviews/${id}/decide`, { action: "approve", digest });
    await oven.resumed();
    await oven.tick();
    expect(slack.messages.at(-1)).toMatchObject({ text: "Paid 7", thread_ts: ts });
  });

  it("waits with a review as long as Slack asks, whatever else ends meanwhile", async () => {
    const { slack, oven, replies, clock, lines } = stage;
    replies.push(PAY, { text: "Two" });
    await slack.say(payer.eventsPath, { text: "pay 7" });
    await oven.once();
    slack.trouble.push({ method: "chat.postMessage", how: 429 });
    const reviews = () => slack.messages.filter(({ blocks }) => blocks !== undefined);
    await expect
      .poll(async () => {
        await oven.once();
        return state();
      })
      .toMatchObject({ status: "running", attempts: 1 });
    await slack.say(bot.eventsPath, { text: "1 + 1?" });
    await expect
      .poll(async () => {
        await oven.once();
        return lines();
      })
      .toContain("Two");
    await oven.once();
    expect(reviews()).toEqual([]);
    clock.now = new Date(clock.now.getTime() + 7_000);
    await oven.once();
    expect(reviews()).toHaveLength(1);
  });

  it.each([
    ["an edit", { subtype: "message_changed", message: { text: "hello" } }],
    ["a deletion", { subtype: "message_deleted" }],
    ["a notice", { subtype: "channel_join" }],
    ["what another bot says", { bot_id: "B2", bot_profile: { name: "Other" } }],
    ["what an app says without a user", { subtype: "bot_message", user: undefined }],
    ["what it says itself", { user: "UBOT" }],
  ])("does not answer %s", async (_what, more) => {
    const { slack, oven } = stage;
    const event = { type: "message", channel: "D1", channel_type: "im", text: "hello", ...more };
    expect((await slack.say(bot.eventsPath, event)).status).toBe(200);
    await oven.tick();
    expect([slack.messages, asked()]).toEqual([[], []]);
  });

  it("says nothing more once it is switched off, and not later either", async () => {
    const { slack, oven, replies, later, lines } = stage;
    replies.push({ text: "Too late" });
    await slack.say(bot.eventsPath, { text: "hello" });
    await oven.once();
    await oven.call("PUT", `bots/${bot.id}`, { enabled: false });
    await oven.tick();
    expect(await state()).toMatchObject({ status: "failed", reason: "The bot is off" });
    await oven.call("PUT", `bots/${bot.id}`, { enabled: true });
    await later(TEN_MINUTES);
    expect(lines()).toEqual(["Working on it …"]);
  });

  it("posts nothing of a bot that was deleted while it answers", async () => {
    const { slack, oven, replies, lines } = stage;
    const target = { kind: "agent", id: await stage.newAgent() };
    const gone = await stage.newBot({ target, guests: { permissions: ["agents.invoke"] } });
    replies.push({ text: "Too late" });
    await slack.say(gone.eventsPath, { text: "hello" });
    await oven.once();
    expect((await oven.call("DELETE", `bots/${gone.id}`)).status).toBeLessThan(300);
    await oven.tick();
    expect(lines()).toEqual(["Working on it …"]);
  });

  it("says that its agent is gone, and goes on in the thread with another one", async () => {
    const { slack, oven, replies, lines } = stage;
    const first = await stage.newAgent();
    const changing = await stage.newBot({ target: { kind: "agent", id: first } });
    replies.push({ text: "Four" }, { text: "Eight" });
    const { ts } = await slack.say(changing.eventsPath, { text: "2 + 2?" });
    await oven.tick();
    expect((await oven.call("DELETE", `agents/${first}`)).status).toBeLessThan(300);
    await slack.say(changing.eventsPath, { text: "twice that?", thread_ts: ts });
    await oven.tick();
    expect(lines()[1]).toMatch(/agent/);
    expect((await oven.call("GET", `bots/${changing.id}`)).body.targetName).toBeNull();
    const target = { kind: "agent", id: await stage.newAgent() };
    expect((await oven.call("PUT", `bots/${changing.id}`, { target })).status).toBe(200);
    await slack.say(changing.eventsPath, { text: "twice that?", thread_ts: ts });
    await oven.tick();
    expect(lines()[2]).toBe("Eight");
    expect(asked().at(-1)).toContain("2 + 2?");
  });

  it("begins another conversation where the person has deleted that of the thread", async () => {
    const { slack, oven, replies, db, lines } = stage;
    replies.push({ text: "Four" }, { text: "Eight" }, { text: "Sixteen" });
    const { ts } = await slack.say(bot.eventsPath, { text: "2 + 2?" });
    await oven.tick();
    const [session] = await db.query<{ id: number }>("select max(id)::int as id from agent_sessions");
    const deleted = await oven.call("DELETE", `agent-sessions/${session?.id}`, undefined, { key: operator.key });
    expect(deleted.status, JSON.stringify(deleted.body)).toBe(204);
    for (const text of ["twice that?", "and again?"]) {
      await slack.say(bot.eventsPath, { text, thread_ts: ts });
      await oven.tick();
    }
    expect(lines()).toEqual(["Four", "Eight", "Sixteen"]);
    expect(asked()[2]).toContain("twice that?");
  });

  it("answers in the thread while a review of it is open", async () => {
    const { slack, oven, replies, lines } = stage;
    replies.push(PAY, { text: "Not yet" });
    const { ts } = await slack.say(payer.eventsPath, { text: "pay 7" });
    await oven.tick();
    await slack.say(payer.eventsPath, { text: "is it paid?", thread_ts: ts });
    await oven.tick();
    expect(lines()).toEqual([expect.stringContaining("waits for a decision"), expect.anything(), "Not yet"]);
  });

  it.each([
    [
      new OvenError("MODEL_UNAVAILABLE", "The provider is down", { status: 503 }),
      "That did not work: The provider is down",
    ],
    [new Error("a password"), "That did not work because of an error inside of OVEN. It is in the log of the server."],
  ])("says in the end that nothing could be started: %s", async (error, said) => {
    const { slack, oven, later, lines } = stage;
    const start = vi.spyOn(oven.asks, "start").mockRejectedValue(error);
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await slack.say(bot.eventsPath, { text: "hello" });
    await oven.tick();
    for (let attempt = 1; attempt < 10; attempt += 1) {
      expect(lines()).toEqual(["Working on it …"]);
      await later(TEN_MINUTES);
    }
    expect(lines()).toEqual([said]);
    expect(start).toHaveBeenCalledTimes(10);
    expect(logged).toHaveBeenCalledTimes(error instanceof OvenError ? 0 : 10);
    await later(TEN_MINUTES);
    expect(start).toHaveBeenCalledTimes(10);
  });

  it("speaks German where its setting says so, or that of its tenant", async () => {
    const { slack, oven, replies, lines } = stage;
    const target = { kind: "agent", id: await stage.newAgent() };
    const german = await stage.newBot({ target, language: "de", perHour: 1 });
    replies.push({ text: "Hello" });
    await slack.say(german.eventsPath, { text: "hello" });
    await oven.once();
    expect(lines()).toEqual(["Ich arbeite daran …"]);
    await oven.tick();
    expect(lines()).toEqual(["Hello"]);
    await slack.say(german.eventsPath, { text: "hello" });
    await slack.say(german.eventsPath, { text: "hello", user: "U91" });
    await oven.tick();
    expect(lines().slice(1).sort()).toEqual([
      expect.stringMatching(/^Ich weiß noch nicht, wer Sie in OVEN sind\. .*\/link-account\/[\w-]{43}$/),
      "Sie haben die Grenze für Nachrichten innerhalb einer Stunde erreicht (1). Versuchen Sie es später noch einmal.",
    ]);
    slack.messages.length = 0;
    await oven.call("POST", `bots/${german.id}/test`, { conversation: "C5" });
    expect(lines()).toEqual(["Hallo von OVEN: Dieser Bot ist verbunden."]);
    const setting = { moduleName: "module-bots", key: "BOT_LANGUAGE", value: "de" };
    const set = await oven.call("POST", "module-configs", setting);
    expect(set.status, JSON.stringify(set.body)).toBe(201);
    await oven.call("POST", `bots/${bot.id}/test`, { conversation: "C5" });
    await oven.call("PUT", `bots/${bot.id}`, { language: "en" });
    await oven.call("POST", `bots/${bot.id}/test`, { conversation: "C5" });
    expect(lines().slice(1)).toEqual([
      "Hallo von OVEN: Dieser Bot ist verbunden.",
      "Hello from OVEN: this bot is connected.",
    ]);
    await oven.call("DELETE", `module-configs/${set.body.id}`);
    const refused = await oven.call("POST", "module-configs", { ...setting, value: "fr" });
    expect(refused.status).toBe(400);
  });

  it("says no more than that to people whose account, or whose bot's owner, may not sign in any more", async () => {
    const { slack, oven, db, lines } = stage;
    const target = { kind: "agent", id: await stage.newAgent() };
    const { id, key } = await oven.person("owner");
    const guests = { permissions: ["agents.invoke"] };
    const open = await stage.newBot({ target, guests, language: "en" }, { key });
    await db.query("update users set disabled_at = now() where id in ($1, $2)", [id, operator.id]);
    await slack.say(open.eventsPath, { text: "hello", user: "U1" });
    await slack.say(open.eventsPath, { text: "hello", user: "U60" });
    await oven.tick();
    await db.query("update users set disabled_at = null where id = $1", [operator.id]);
    expect(lines().sort()).toEqual([
      "I cannot answer at present: the person who set me up may not sign in any more.",
      "Your account in OVEN may not sign in any more.",
    ]);
    expect(asked()).toEqual([]);
  });
});
