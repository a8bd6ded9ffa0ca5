import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { type Credentials, invite, type TestAnswer } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  startNotifications,
  type TestClock,
  type TestNotifications,
} from "../../deliveries/testing/start-notifications.ts";
import {
  APP_ID,
  CLIENT_SECRET,
  DIRECTORY,
  startTeams,
  type TeamsForgery,
  type TeamsMessage,
  type TeamsServer,
  type TeamsUser,
} from "../testing/start-teams.ts";

interface Member extends TeamsUser {
  call(method: string, path: string, body?: unknown): Promise<TestAnswer>;
}

const CONVERSATION = "19:abc@thread.tacv2";

describe("reviews in Microsoft Teams", () => {
  const clock: TestClock = { now: new Date() };
  let db: Database;
  let teams: TeamsServer;
  let server: TestNotifications;
  let workflow: number;
  /** The address of the rule. */
  let path: string;
  let people = 0;
  /** Members who have confirmed once that their accounts are theirs. */
  let ada: Member;
  let bob: Member;

  beforeAll(async () => {
    db = await createTestPglite();
    teams = await startTeams(clock, () => server.oven);
    server = await startNotifications(clock, { db, outboundAllow: [teams.origin] });
    await server.oven.call("POST", "secrets", { name: "bot", value: CLIENT_SECRET, hosts: [teams.host] });
    workflow = await server.workflow("Refunds");
    path = await ruleWith({});
    ada = await linked(["reviewer", "operator"]);
    bob = await linked(["reviewer"]);
  });
  beforeEach(() => {
    clock.now = new Date();
    teams.refusals.length = 0;
  });
  afterAll(async () => {
    await server.stop();
    await teams.stop();
    await db.close();
  });

  const ruleWith = async (more: object): Promise<string> => {
    const rule = await server.rule({
      events: ["review.opened"],
      scope: { kind: "workflow", workflowId: workflow },
      channel: {
        type: "teams",
        appId: APP_ID,
        directory: DIRECTORY,
        password: { $secret: "bot" },
        conversation: CONVERSATION,
        serviceUrl: teams.serviceUrl,
        loginHost: teams.host,
        keysHost: teams.host,
        ...more,
      },
    });
    return rule.decisionsPath ?? "";
  };
  const member = async (roles: string[]): Promise<Member> => {
    people++;
    const credentials: Credentials = await invite(server.oven, `person${people}@example.com`, roles);
    return {
      aadObjectId: `00000000-0000-4000-8000-00000000000${people}`,
      name: `Person ${people}`,
      call: (method, at, body) => server.oven.call(method, at, body, credentials),
    };
  };
  const linked = async (roles: string[]): Promise<Member> => {
    const person = await member(roles);
    const { message } = await asked();
    const { body } = await teams.press(path, person, message?.card, "oven-approve");
    const [, token = ""] = /link-account\/([\w-]+)/.exec(JSON.stringify(body)) ?? [];
    await person.call("POST", "account/linked-accounts", { token });
    return person;
  };
  const asked = async (
    more: object = {},
    by?: Pick<Member, "call">,
  ): Promise<{ review: number; message: TeamsMessage | undefined }> => {
    const actions = ["approve", "edit", "reject"];
    const ask = { title: "Refund 5", proposal: { amount: 5 }, context: { because: "late" }, actions, ...more };
    const input = { input: { ask } };
    const { body: run } = await (by ?? server.oven).call("POST", `workflows/${workflow}/execute?wait=20`, input);
    const { body: reviews } = await server.oven.call("GET", `reviews?filter={"executionId":${run.id}}`);
    await server.tick();
    return { review: reviews[0].id, message: teams.messages.at(-1) };
  };
  const reviewOf = async (id: number) => (await server.oven.call("GET", `reviews/${id}`)).body;
  const read = (value: unknown): string => teams.read(value as TeamsMessage["card"]); // cast: an answer's card

  it("posts all that is approved as text without Markdown, with one token for many messages", async () => {
    const proposal = { to: "**Ada** \u202Edada", letter: "Dear Ada\namount: 9" };
    const { message } = await asked({ proposal, assignees: ["role:reviewer"] });
    expect(message?.conversation).toBe(CONVERSATION);
    expect(teams.read(message?.card)).toContain("to: **Ada** ⟨U+202E⟩dada\nletter: Dear Ada\n    │ amount: 9");
    expect(teams.read(message?.card)).toContain("May decide: reviewer");
    expect(teams.read(message?.card)).toContain("Asked by: ");
    expect(teams.logins).toBe(1);
  });

  it("takes an approval, answers with how the review stands, and shows it to all", async () => {
    const { review, message } = await asked();
    const { status, body } = await teams.press(path, ada, message?.card, "oven-approve");
    expect([status, body.statusCode, body.type]).toEqual([200, 200, "application/vnd.microsoft.card.adaptive"]);
    expect(read(body.value)).toContain("Approved by person1@example.com");
    expect(await reviewOf(review)).toMatchObject({ status: "decided", action: "approve" });
    await server.tick();
    expect(teams.read(message?.card)).toContain("Approved by person1@example.com");
    expect(teams.buttons(message?.card).map(({ title }) => title)).toEqual(["Open in OVEN"]);
    const filter = `{"targetType":"reviews","targetId":"${review}"}`;
    const { body: log } = await server.oven.call("GET", `audit-log?filter=${filter}`);
    expect(log).toMatchObject([{ action: "POST reviews/[id]/decide from Microsoft Teams", outcome: "done" }]);
  });

  it("rejects with the reason that was filled in, and not without one", async () => {
    const { review, message } = await asked();
    const { body } = await teams.press(path, ada, message?.card, "oven-reject", { reason: " " });
    expect(read(body.value)).toContain("Not decided. A rejection needs a reason");
    await teams.press(path, ada, message?.card, "oven-reject", { reason: "Paid already" });
    expect(await reviewOf(review)).toMatchObject({ action: "reject", reason: "Paid already" });
  });

  it.each<[string, TeamsForgery]>([
    ["without a token", { noToken: true }],
    ["by another issuer", { issuer: "https://sts.windows.net/x/" }],
    ["for another bot", { audience: "99999999-2222-4333-8444-555555555555" }],
    ["of another service", { serviceUrl: "https://smba.trafficmanager.net/emea/" }],
    ["that is over", { over: 301 }],
    ["by another key", { key: "foreign" }],
    ["by a key that is not for Teams", { key: "not-endorsed" }],
  ])("refuses a press with a token %s", async (_what, forgery) => {
    const { review, message } = await asked();
    const { status, body } = await teams.press(path, ada, message?.card, "oven-approve", { forgery });
    expect([status, body]).toEqual([401, { error: expect.objectContaining({ code: "SIGNATURE_INVALID" }) }]);
    expect((await reviewOf(review)).status).toBe("open");
  });

  it("asks who it is where the account is not linked, is of another directory, or is proved by other keys", async () => {
    const eve = await member(["owner"]);
    const { review, message } = await asked();
    const unlinked = await teams.press(path, eve, message?.card, "oven-approve");
    expect(read(unlinked.body.value)).toContain("OVEN does not know yet who you are");
    expect(JSON.stringify(unlinked.body)).toContain("/link-account/");
    expect(teams.read(message?.card)).not.toContain("who you are");
    const forgery = { directory: "bbbbbbbb-bbbb-4ccc-8ddd-eeeeeeeeeeee" };
    const elsewhere = await teams.press(path, ada, message?.card, "oven-approve", { forgery });
    expect(read(elsewhere.body.value)).toContain("to which workspace your account belongs");
    expect((await reviewOf(review)).status).toBe("open");
    await db.query("update notification_linked_accounts set proof = 'of another key' where account = $1", [
      bob.aadObjectId,
    ]);
    const other = await teams.press(path, bob, message?.card, "oven-approve");
    expect(JSON.stringify(other.body)).toContain("/link-account/");
    expect((await reviewOf(review)).status).toBe("open");
  });

  it("refuses the person who asked, an older proposal, and what was decided elsewhere, in plain words", async () => {
    const own = await asked({ policy: { notRequester: true } }, ada);
    const refused = await teams.press(path, ada, own.message?.card, "oven-approve");
    expect(read(refused.body.value)).toContain("You asked for this run");
    const changed = await asked({ policy: { approvals: 2 } });
    const card = changed.message?.card;
    const { digest } = await reviewOf(changed.review);
    const edit = { action: "edit", data: { amount: 7 }, digest };
    await bob.call("POST", `reviews/${changed.review}/decide`, edit);
    const older = await teams.press(path, ada, card, "oven-approve");
    expect(read(older.body.value)).toContain("What you were shown is not what this review is about");
    expect(read(older.body.value)).toContain("amount: 7");
    expect((await reviewOf(changed.review)).status).toBe("open");
    await server.tick();
    await teams.press(path, ada, changed.message?.card, "oven-approve");
    expect(await reviewOf(changed.review)).toMatchObject({ status: "decided", data: { amount: 7 } });
    const late = await teams.press(path, ada, card, "oven-approve");
    expect(read(late.body.value)).toContain("This review was decided: approve already");
  });

  it("shows a decision that was made on the page, once the connector takes it", async () => {
    const { review, message } = await asked();
    await ada.call("POST", `reviews/${review}/decide`, { action: "reject", reason: "No" });
    teams.refusals.push(502);
    await server.tick();
    expect(teams.buttons(message?.card)).not.toHaveLength(1);
    clock.now = new Date(clock.now.getTime() + 10_001);
    await server.tick();
    expect(teams.read(message?.card)).toContain("Rejected by");
  });

  it("offers no approval of what does not fit, and a second press for what cannot be undone", async () => {
    const lines = await asked({ proposal: { letter: "x\n".repeat(1_500) } });
    expect(teams.buttons(lines.message?.card).map(({ verb }) => verb)).not.toContain("oven-approve");
    expect(teams.read(lines.message?.card)).toContain("too long to be shown here whole");
    const risky = await asked({ tool: "orders.refund" });
    expect(risky.message?.card.actions.map(({ type, title }) => [type, title])).toEqual([
      ["Action.ShowCard", "Approve…"],
      ["Action.ShowCard", "Reject…"],
      ["Action.OpenUrl", "Open in OVEN"],
    ]);
  });

  it("knows only messages that its rule posted, and decides nothing by GET", async () => {
    const { message } = await asked();
    const { run } = await server.run(await server.workflow(), { ask: { title: "Elsewhere", proposal: {} } });
    const { body: reviews } = await server.oven.call("GET", `reviews?filter={"executionId":${run}}`);
    const data = { review: reviews[0].id, digest: reviews[0].digest };
    const { body } = await teams.press(path, ada, message?.card, "oven-approve", { forgery: { data } });
    expect(body).toMatchObject({
      type: "application/vnd.microsoft.activity.message",
      value: "OVEN no longer knows this message.",
    });
    expect((await reviewOf(reviews[0].id)).status).toBe("open");
    expect((await server.oven.fetch(path.replace("/api/", ""))).status).toBe(405);
  });

  it("sends the bot's token to no host but a connector's", async () => {
    await db.query("delete from notification_rules");
    await ruleWith({ serviceUrl: "https://connector.example.com/teams" });
    await asked();
    const { body } = await server.oven.call("GET", `notification-deliveries?sort=["id","DESC"]&range=[0,0]`);
    expect(body[0]).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("not an address of the Bot Connector"),
    });
  });
});
