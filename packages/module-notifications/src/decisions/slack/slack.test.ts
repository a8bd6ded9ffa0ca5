import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { type Credentials, invite, type TestAnswer } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../../deliveries/testing/receiver.ts";
import {
  startNotifications,
  type TestClock,
  type TestNotifications,
} from "../../deliveries/testing/start-notifications.ts";
import {
  SIGNING_SECRET,
  SLACK_TOKEN,
  type SlackMessage,
  type SlackServer,
  type SlackUser,
  startSlack,
} from "../testing/start-slack.ts";

interface Member extends SlackUser {
  id: string;
  username: string;
  call(method: string, path: string, body?: unknown): Promise<TestAnswer>;
}

describe("reviews in Slack", () => {
  const clock: TestClock = { now: new Date() };
  let db: Database;
  let slack: SlackServer;
  /** Another server, which OVEN may call. */
  let other: Receiver;
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
    other = await startReceiver();
    slack = await startSlack(clock, () => server.oven);
    server = await startNotifications(clock, { db, outboundAllow: [slack.origin, other.origin] });
    await server.oven.call("POST", "secrets", { name: "slack-token", value: SLACK_TOKEN, hosts: [slack.host] });
    await server.oven.call("POST", "secrets", { name: "slack-signing", value: SIGNING_SECRET, hosts: [] });
    workflow = await server.workflow("Refunds");
    path = await ruleWith("slack-signing");
    ada = await linked(["reviewer", "operator"]);
    bob = await linked();
  });
  beforeEach(() => {
    clock.now = new Date();
    slack.messages.length = 0;
    slack.whispers.length = 0;
    slack.windows.length = 0;
    slack.errors.length = 0;
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([slack.stop(), other.stop()]);
    await db.close();
  });

  const ruleWith = async (signingSecret: string): Promise<string> => {
    const rule = await server.rule({
      events: ["review.opened"],
      scope: { kind: "workflow", workflowId: workflow },
      channel: {
        type: "slack-app",
        token: { $secret: "slack-token" },
        signingSecret: { $secret: signingSecret },
        conversation: "C0123ABCD",
        host: slack.host,
      },
    });
    return rule.decisionsPath ?? "";
  };
  const member = async (roles: string[] = ["reviewer"]): Promise<Member> => {
    people++;
    const credentials: Credentials = await invite(server.oven, `person${people}@example.com`, roles);
    return {
      id: `U${people}`,
      username: `person.${people}`,
      call: (method, at, body) => server.oven.call(method, at, body, credentials),
    };
  };
  const linked = async (roles?: string[]): Promise<Member> => {
    const person = await member(roles);
    await person.call("POST", "account/linked-accounts", { token: await askForLink(person) });
    slack.whispers.length = 0;
    return person;
  };
  const askForLink = async (person: Member): Promise<string> => {
    const { message } = await asked();
    await slack.press(path, person, message, "oven-approve");
    const said = slack.whispers.find(({ user }) => user === person.id)?.text ?? "";
    return /link-account\/([\w-]+)/.exec(said)?.[1] ?? "";
  };
  const asked = async (
    more: object = {},
    by?: Pick<Member, "call">,
  ): Promise<{ review: number; message: SlackMessage | undefined }> => {
    const ask = {
      title: "Refund 5",
      proposal: { amount: 5 },
      context: { because: "late" },
      actions: ["approve", "edit", "reject"],
      ...more,
    };
    const { body: run } = await (by ?? server.oven).call("POST", `workflows/${workflow}/execute?wait=20`, {
      input: { ask },
    });
    const { body: reviews } = await server.oven.call("GET", `reviews?filter={"executionId":${run.id}}`);
    await server.tick();
    return { review: reviews[0].id, message: slack.messages.at(-1) };
  };
  const reviewOf = async (id: number) => (await server.oven.call("GET", `reviews/${id}`)).body;

  it("shows all that is approved, who may decide and until when, as text that means nothing to Slack", async () => {
    const dueAt = "2031-05-06T03:30:00.000Z";
    const proposal = { to: "<!channel> \u202Edada", letter: "Dear Ada\namount: 9", list: [1, 2] };
    const { message, review } = await asked({
      proposal,
      dueAt,
      assignees: ["role:reviewer"],
      policy: { notRequester: true },
    });
    const text = slack.read(message);
    expect(text).toContain("Review: Refund 5");
    expect(text).toContain("to: <!channel> ⟨U+202E⟩dada\nletter: Dear Ada\n    │ amount: 9\nlist: [1,2]");
    expect(text).toContain("May decide\nreviewer; not the person who asked");
    expect(text).toContain("Due\n6 May 2031 at 03:30 UTC");
    expect(text).toContain("Why\nbecause: late");
    expect(text).toContain(`digest ${(await reviewOf(review)).digest.slice(0, 16)}`);
    expect(slack.buttons(message).map(({ action_id }) => action_id)).toEqual([
      "oven-approve",
      "oven-reject",
      "oven-open",
    ]);
    expect(slack.buttons(message)[2]?.url).toBe(`http://localhost:3000/reviews/${review}`);
  });

  it("takes an approval of a person who has linked the account, and says to all how it ended", async () => {
    const { review, message } = await asked();
    expect((await slack.press(path, ada, message, "oven-approve")).status).toBe(200);
    expect(await reviewOf(review)).toMatchObject({
      status: "decided",
      action: "approve",
      decidedByName: "person1@example.com",
    });
    expect(slack.whispers).toEqual([]);
    await server.tick();
    expect(slack.read(message)).toContain("Approved by person1@example.com, ");
    expect(slack.buttons(message).map(({ action_id }) => action_id)).toEqual(["oven-open"]);
    const { body: log } = await server.oven.call(
      "GET",
      `audit-log?filter={"targetType":"reviews","targetId":"${review}"}`,
    );
    expect(log).toMatchObject([{ action: "POST reviews/[id]/decide from Slack", outcome: "done", actorKind: "user" }]);
  });

  it("asks why before it rejects, and takes no rejection without a reason", async () => {
    const { review, message } = await asked();
    await slack.press(path, ada, message, "oven-reject");
    expect(slack.windows).toHaveLength(1);
    expect((await reviewOf(review)).status).toBe("open");
    const refused = await (await slack.submit(path, ada, "  ")).json();
    expect(refused).toMatchObject({ response_action: "update", view: { title: { text: "Not decided" } } });
    expect(JSON.stringify(refused)).toContain("A rejection needs a reason");
    expect((await reviewOf(review)).status).toBe("open");
    expect(await (await slack.submit(path, ada, "Paid <already>")).text()).toBe("");
    expect(await reviewOf(review)).toMatchObject({ status: "decided", action: "reject", reason: "Paid <already>" });
    await server.tick();
    expect(slack.read(message)).toContain("Rejected by");
    expect(slack.read(message)).toContain("Paid <already>");
  });

  it.each([
    ["signed with another secret", { secret: "another" }, "SIGNATURE_INVALID"],
    ["signed more than five minutes ago", { age: 301 }, "TIMESTAMP_REFUSED"],
    ["signed for a time to come", { age: -301 }, "TIMESTAMP_REFUSED"],
  ])("refuses what was %s", async (_what, forgery, code) => {
    const { review, message } = await asked();
    const answer = await slack.press(path, ada, message, "oven-approve", forgery);
    expect([answer.status, await answer.json()]).toEqual([401, { error: expect.objectContaining({ code }) }]);
    expect((await reviewOf(review)).status).toBe("open");
  });

  it("decides nothing for an account that is not linked, and gives its person an address instead", async () => {
    const eve = await member(["owner"]);
    const { review, message } = await asked();
    await slack.press(path, eve, message, "oven-approve");
    await slack.press(path, eve, message, "oven-reject");
    expect(slack.windows).toEqual([]);
    expect(slack.whispers.map(({ user }) => user)).toEqual([eve.id, eve.id]);
    expect((await reviewOf(review)).status).toBe("open");
  });

  it("links an account once, by a signed-in person, within 15 minutes; reading the address links nothing", async () => {
    const [one, other] = [await member(), await member()];
    const token = await askForLink(one);
    expect((await one.call("GET", `account/linked-accounts/link?token=${token}`)).body).toMatchObject({
      provider: "slack",
      workspace: "T0001",
      account: one.id,
      name: `${one.username} (acme)`,
    });
    expect((await one.call("GET", "account/linked-accounts")).body).toEqual([]);
    expect((await server.oven.call("POST", "account/linked-accounts", { token })).body.error.code).toBe("NOT_CALLABLE");
    const made = await one.call("POST", "account/linked-accounts", { token });
    expect(made).toMatchObject({ status: 201, body: { account: one.id } });
    expect((await other.call("POST", "account/linked-accounts", { token })).status).toBe(404);
    expect((await other.call("DELETE", `account/linked-accounts/${made.body.id}`)).status).toBe(404);
    const late = await askForLink(other);
    clock.now = new Date(clock.now.getTime() + 15 * 60_000 + 1);
    expect((await other.call("GET", `account/linked-accounts/link?token=${late}`)).status).toBe(404);
    expect((await other.call("POST", "account/linked-accounts", { token: late })).status).toBe(404);
    expect((await one.call("DELETE", `account/linked-accounts/${made.body.id}`)).status).toBe(204);
    const { review, message } = await asked();
    await slack.press(path, one, message, "oven-approve");
    expect((await reviewOf(review)).status).toBe("open");
  });

  it("takes no account for the same in another workspace, or under another signing secret", async () => {
    const { review, message } = await asked();
    await slack.press(path, { ...ada, team_id: "T0002" }, message, "oven-approve");
    await server.oven.call("POST", "secrets", { name: "slack-other", value: "another-signing-secret", hosts: [] });
    const otherPath = await ruleWith("slack-other");
    const again = await asked();
    await slack.press(otherPath, ada, again.message, "oven-approve", { secret: "another-signing-secret" });
    expect(slack.whispers.map(({ text }) => /link-account/.test(text))).toEqual([true, true]);
    expect((await reviewOf(review)).status).toBe("open");
    expect((await reviewOf(again.review)).status).toBe("open");
    await db.query("delete from notification_rules where decisions_key = $1", [otherPath.split("/").at(-1)]);
  });

  it.each([
    ["who asked for the run", { policy: { notRequester: true } }, true, "You asked for this run"],
    ["whom the review does not ask", { assignees: ["role:editor"] }, false, "is not yours to decide"],
  ])("refuses a person %s, in plain words", async (_who, more, isRequester, words) => {
    const { review, message } = await asked(more, isRequester ? ada : undefined);
    await slack.press(path, ada, message, "oven-approve");
    expect(slack.whispers).toEqual([{ user: ada.id, text: expect.stringContaining(words) }]);
    expect((await reviewOf(review)).status).toBe("open");
  });

  it("counts the rights that a person has now", async () => {
    const [viewer, gone] = [await linked(), await linked()];
    const { review, message } = await asked();
    await db.query("update user_roles set role = 'viewer' where user_id = (select max(id) - 1 from users)");
    await db.query("update users set disabled_at = now() where id = (select max(id) from users)");
    await slack.press(path, viewer, message, "oven-approve");
    await slack.press(path, gone, message, "oven-approve");
    expect(slack.whispers.map(({ text }) => text)).toEqual([
      expect.stringContaining("needs the permission reviews.decide"),
      expect.stringContaining("may not sign in any more"),
    ]);
    expect((await reviewOf(review)).status).toBe("open");
  });

  it("waits for each approval that is needed, and shows those that came", async () => {
    const { review, message } = await asked({ policy: { approvals: 2 } });
    expect(slack.read(message)).toContain("2 people must approve");
    await slack.press(path, ada, message, "oven-approve");
    await slack.press(path, ada, message, "oven-approve");
    expect(slack.whispers.map(({ text }) => text)).toEqual([
      expect.stringContaining("Your approval counts"),
      expect.stringContaining("You have approved it"),
    ]);
    await server.tick();
    expect(slack.read(message)).toContain("Approved by\nperson1@example.com");
    expect((await reviewOf(review)).status).toBe("open");
    await slack.press(path, bob, message, "oven-approve");
    expect((await reviewOf(review)).status).toBe("decided");
  });

  it("refuses what is not what the review is about any more, and shows what is", async () => {
    const { review, message } = await asked({ policy: { approvals: 2 } });
    const old = slack.buttons(message)[0]?.value ?? "";
    const { digest } = await reviewOf(review);
    await bob.call("POST", `reviews/${review}/decide`, { action: "edit", data: { amount: 7 }, digest });
    await slack.press(path, ada, message, "oven-approve");
    expect(slack.whispers[0]?.text).toContain("What you were shown is not what this review is about");
    await server.tick();
    expect(slack.read(message)).toContain("amount: 7");
    expect(slack.buttons(message)[0]?.value).not.toBe(old);
    await slack.press(path, ada, message, "oven-approve");
    expect(await reviewOf(review)).toMatchObject({ status: "decided", data: { amount: 7 } });
  });

  it("says how a review ended that was decided on its page, and refuses a press that comes after", async () => {
    const { review, message } = await asked();
    const before = { ...message, blocks: message?.blocks ?? [] } as SlackMessage;
    await ada.call("POST", `reviews/${review}/decide`, { action: "reject", reason: "No" });
    slack.errors.push("ratelimited");
    await server.tick();
    expect(slack.read(message)).toContain("May decide");
    clock.now = new Date(clock.now.getTime() + 10_001);
    await server.tick();
    expect(slack.read(message)).toContain("Rejected by");
    await slack.press(path, ada, before, "oven-approve");
    expect(slack.whispers[0]?.text).toContain("This review was decided: reject already");
    expect((await reviewOf(review)).action).toBe("reject");
  });

  it("says when the time to decide is over", async () => {
    const { review, message } = await asked({ dueAt: new Date(Date.now() + 1_500).toISOString() });
    await expect.poll(async () => (await reviewOf(review)).status, { timeout: 10_000 }).toBe("expired");
    await server.tick();
    expect(slack.read(message)).toContain("Not decided in time.");
    expect(slack.buttons(message)).toHaveLength(1);
  });

  it("offers no approval of what it cannot show whole or what is to be filled in, and a second press for what cannot be undone", async () => {
    const long = await asked({ proposal: { letter: "x".repeat(8_001) } });
    expect(slack.buttons(long.message).map(({ action_id }) => action_id)).toEqual(["oven-reject", "oven-open"]);
    expect(slack.read(long.message)).toContain("too long to be shown here whole");
    const form = await asked({ actions: ["submit", "reject"] });
    expect(slack.buttons(form.message).map(({ action_id }) => action_id)).toEqual(["oven-reject", "oven-open"]);
    const risky = await asked({ tool: "orders.refund" });
    expect(slack.buttons(risky.message)[0]).toMatchObject({ action_id: "oven-approve", confirm: expect.anything() });
    const harmless = await asked();
    expect(slack.buttons(harmless.message)[0]?.confirm).toBeUndefined();
  });

  it("answers at no address but Slack's, and knows only messages that it posted", async () => {
    const eve = await member();
    const { message } = await asked();
    await slack.press(path, eve, message, "oven-approve", { responseUrl: `${other.origin}/actions/x` });
    expect([slack.whispers, other.posts]).toEqual([[], []]);
    const { run } = await server.run(await server.workflow(), { ask: { title: "Elsewhere", proposal: {} } });
    const { body } = await server.oven.call("GET", `reviews?filter={"executionId":${run}}`);
    const value = JSON.stringify({ review: body[0].id, digest: body[0].digest });
    await slack.press(path, bob, message, "oven-approve", { value });
    expect(slack.whispers[0]?.text).toContain("no longer knows this message");
    expect((await reviewOf(body[0].id)).status).toBe("open");
  });

  it("decides nothing by GET, and nothing at the address of a rule that is off or gone", async () => {
    const { review, message } = await asked();
    const get = await server.oven.fetch(path.replace("/api/", ""));
    expect(get.status).toBe(405);
    await db.query("update notification_rules set enabled = false where decisions_key = $1", [path.split("/").at(-1)]);
    expect((await slack.press(path, ada, message, "oven-approve")).status).toBe(404);
    await db.query("update notification_rules set enabled = true where decisions_key = $1", [path.split("/").at(-1)]);
    expect((await slack.press("/api/decisions/slack/nothing", ada, message, "oven-approve")).status).toBe(404);
    expect((await reviewOf(review)).status).toBe("open");
  });
});
