import type { Bot } from "@oven/contract/agent";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BotsOven, startBots } from "./testing/start-bots.ts";
import { APP_ID, CLIENT_SECRET, type Connector, DIRECTORY, startConnector } from "./testing/start-connector.ts";

const ADA = "00000000-0000-4000-8000-000000000001";

describe("bots in Microsoft Teams", () => {
  const clock = { now: new Date() };
  let db: Database;
  let server: ModelServer;
  let teams: Connector;
  let oven: BotsOven;
  let replies: ModelReply[] = [];
  let bot: Bot;

  beforeAll(async () => {
    db = await createTestPglite();
    server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
      models: ["house-model"],
    });
    teams = await startConnector(clock, () => oven);
    oven = await startBots(clock, { server, db, outboundAllow: [teams.origin] });
    await oven.call("POST", "secrets", { name: "teams-bot", value: CLIENT_SECRET, hosts: [teams.host] });
    bot = await newBot();
    await teams.say(bot.eventsPath, { text: "Hi" });
    await oven.tick();
    await oven.person("reviewer", ADA);
    await db.query("insert into user_roles (user_id, role, tenant_id) select max(id), 'operator', 1 from users");
  });
  beforeEach(() => {
    clock.now = new Date(clock.now.getTime() + 3_600_001);
    teams.messages.length = 0;
    server.requests.length = 0;
    replies = [];
  });
  afterAll(async () => {
    await oven.stop();
    await Promise.all([teams.stop(), server.close()]);
    await db.close();
  });

  async function newBot(settings: object = {}, more: object = {}): Promise<Bot> {
    const helper = { name: `Helper ${Math.random()}`, model: "openai:house", systemPrompt: "Be short.", ...settings };
    const { body: agent } = await oven.call("POST", "agents", helper);
    const connection = {
      ...{ type: "teams", appId: APP_ID, directory: DIRECTORY, password: { $secret: "teams-bot" } },
      ...{ serviceUrl: "https://smba.trafficmanager.net/teams", loginHost: teams.host, keysHost: teams.host },
    };
    const target = { kind: "agent", id: agent.id };
    const made = await oven.call("POST", "bots", { name: "Ada", connection, target, ...more });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body;
  }
  const texts = () => teams.messages.map(({ activity }) => activity.text);
  const inChannel = (thread: string, more: object = {}) => ({
    text: "<at>Ada</at> who are you?",
    conversation: { id: `19:c@thread.tacv2;messageid=${thread}`, conversationType: "channel", tenantId: DIRECTORY },
    entities: [{ type: "mention", mentioned: { id: `28:${APP_ID}`, name: "Ada" }, text: "<at>Ada</at>" }],
    ...more,
  });

  it("types while the answer is made, and answers in the thread at the address that the token names", async () => {
    replies = [{ text: "**I** am <at>everyone</at>" }, { text: "As I said" }];
    const typed = teams.typings;
    await teams.say(bot.eventsPath, inChannel("1"));
    await oven.tick();
    expect(teams.typings).toBe(typed + 1);
    expect(teams.messages).toMatchObject([{ conversation: "19:c@thread.tacv2;messageid=1" }]);
    expect(texts()).toEqual(["**I** am &lt;at>everyone&lt;/at>"]);
    await teams.say(bot.eventsPath, inChannel("1", { text: "<at>Ada</at> again?" }));
    await oven.tick();
    const [first, second] = server.requests.map(({ body }) => JSON.stringify(body));
    expect(first).toContain('"who are you?"');
    expect(second).toContain("who are you?");
  });

  it.each([
    ["signed with another key", { isForeign: true }],
    ["for another bot", { audience: "22222222-2222-4333-8444-555555555555" }],
    ["whose token names another service", { serviceUrl: "https://smba.trafficmanager.net/teams" }],
  ])("refuses what is %s", async (_what, forgery) => {
    expect((await teams.say(bot.eventsPath, { text: "pay me" }, forgery)).status).toBe(401);
    await oven.tick();
    expect(teams.messages).toEqual([]);
  });

  it("answers a message once that is sent again, and waits as it is asked to", async () => {
    replies = [{ text: "Once" }];
    teams.refusals.push(429);
    const { id } = await teams.say(bot.eventsPath, { text: "again?" });
    await teams.say(bot.eventsPath, { text: "again?", id });
    await oven.tick();
    clock.now = new Date(clock.now.getTime() + 6_999);
    await oven.tick();
    expect(teams.messages).toEqual([]);
    clock.now = new Date(clock.now.getTime() + 1);
    await oven.tick();
    expect(texts()).toEqual(["Once"]);
  });

  it("says where everybody reads it no address that links an account, and nothing of the kind to other organisations", async () => {
    const from = { id: "29:x", name: "Ada", aadObjectId: "00000000-0000-4000-8000-000000000009" };
    await teams.say(bot.eventsPath, inChannel("2", { from }));
    await teams.say(bot.eventsPath, { from, text: "hello" });
    const foreign = { id: "a:foreign", conversationType: "personal", tenantId: "99999999-bbbb-4ccc-8ddd-eeeeeeeeeeee" };
    await teams.say(bot.eventsPath, { from, text: "hello", conversation: foreign });
    await oven.tick();
    const said = Object.fromEntries(teams.messages.map(({ conversation, activity }) => [conversation, activity.text]));
    expect(said["19:c@thread.tacv2;messageid=2"]).toContain("personal chat");
    expect(said["a:personal"]).toContain("/link-account/");
    expect(said["a:foreign"]).toContain("my own organisation");
    expect(JSON.stringify(said).match(/link-account/g)).toHaveLength(1);
  });

  it("speaks German where its setting says so", async () => {
    const german = await newBot({ toolBindings: ["shop.pay"] }, { language: "de" });
    const from = { id: "29:x", name: "Ada", aadObjectId: "00000000-0000-4000-8000-000000000009" };
    const tenantId = "99999999-bbbb-4ccc-8ddd-eeeeeeeeeeee";
    const foreign = { id: "a:foreign", conversationType: "personal", tenantId };
    await teams.say(german.eventsPath, inChannel("3", { from }));
    await teams.say(german.eventsPath, { from, text: "hello", conversation: foreign });
    await teams.say(german.eventsPath, { text: "" });
    await oven.tick();
    expect(texts().sort()).toEqual([
      "Ich antworte nur Personen meiner eigenen Organisation.",
      "Schreiben Sie mir zuerst in einem persönlichen Chat, um zu sagen, wer Sie in OVEN sind.",
      "Schreiben Sie, was Sie wissen möchten.",
    ]);
    teams.messages.length = 0;
    replies = [{ toolCalls: [{ id: "p", name: "shop_pay", arguments: { id: 7 } }] }];
    await teams.say(german.eventsPath, { text: "pay 7" });
    await oven.tick();
    expect(JSON.stringify(teams.messages[0]?.activity)).toMatch(/Freigabe nötig: /);
  });

  it.each([
    ["an edit", { type: "messageUpdate" }],
    ["a deletion", { type: "messageDelete" }],
    ["what another bot says", { from: { id: "28:another-bot", name: "Other" } }],
  ])("does not answer %s", async (_what, more) => {
    expect((await teams.say(bot.eventsPath, { text: "hello", ...more })).status).toBe(200);
    await oven.tick();
    expect([teams.messages, server.requests]).toEqual([[], []]);
  });

  it("tries no more where its client secret was revoked, and says so on its page", async () => {
    const appId = "33333333-2222-4333-8444-555555555555";
    await oven.call("POST", "secrets", {
      name: "teams-old",
      value: "a-revoked-secret-of-the-bot",
      hosts: [teams.host],
    });
    const connection = { ...bot.connection, appId, password: { $secret: "teams-old" } };
    const revoked = await newBot({}, { connection });
    await teams.say(revoked.eventsPath, { text: "hello" }, { audience: appId });
    await oven.tick();
    clock.now = new Date(clock.now.getTime() + 600_000);
    await oven.tick();
    expect(teams.messages).toEqual([]);
    expect((await oven.call("GET", `bots/${revoked.id}`)).body.lastError).toMatch(/gave no token: 401/);
  });

  it("names the files of an answer, with the page of the run where they are", async () => {
    const painter = await newBot({ toolBindings: ["ai.generateImage"] });
    const draw = { toolCalls: [{ id: "d", name: "ai_generateImage", arguments: { prompt: "A loaf" } }] };
    replies = [draw, { text: "A loaf" }];
    await teams.say(painter.eventsPath, { text: "draw" });
    await oven.tick();
    expect(texts()).toEqual([
      "A loaf",
      expect.stringMatching(
        /^On the page of the run, and not here: `file-\d+\.png`\. http\S+\/agent-workflow-executions\/\d+/,
      ),
    ]);
  });

  it("shows a review as a card, and goes on once it was decided by its button", async () => {
    const payer = await newBot({ toolBindings: ["shop.pay"] });
    replies = [{ toolCalls: [{ id: "p", name: "shop_pay", arguments: { id: 7 } }] }, { text: "Paid 7" }];
    await teams.say(payer.eventsPath, { text: "pay 7" });
    await oven.tick();
    const [card] = teams.messages;
    expect(JSON.stringify(card?.activity)).toContain("oven-approve");
    expect(oven.paid).toEqual([]);
    expect(await teams.press(payer.eventsPath, ADA, card, "oven-approve")).toBe(200);
    await oven.resumed();
    await oven.tick();
    expect(oven.paid).toEqual([{ id: 7 }]);
    expect(texts().at(-1)).toBe("Paid 7");
    await oven.notify();
    expect(JSON.stringify(card?.activity)).toContain("Approved by reviewer");
  });
});
