import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import {
  IMAP_PASSWORD,
  IMAP_USER,
  type ImapServer,
  type MailServer,
  type ReceivedMail,
  startImapServer,
  startMailServer,
} from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type Person,
  startNotifications,
  type TestClock,
  type TestNotifications,
} from "../../deliveries/testing/start-notifications.ts";

const MAIL = { from: "OVEN <oven@example.com>" };

describe("replies to mail about reviews", () => {
  const clock: TestClock = { now: new Date() };
  let db: Database;
  let smtp: MailServer;
  let imap: ImapServer;
  let server: TestNotifications;
  let workflow: number;
  let ada: Person;

  beforeAll(async () => {
    [db, smtp, imap] = [await createTestPglite(), await startMailServer(), await startImapServer()];
    server = await startNotifications(clock, {
      db,
      mail: { ...MAIL, url: smtp.url },
      outboundAllow: [`http://127.0.0.1:${imap.port}`],
      variables: {
        OVEN_REVIEW_MAILBOX: `imap://${IMAP_USER}:${encodeURIComponent(IMAP_PASSWORD)}@127.0.0.1:${imap.port}/INBOX`,
        OVEN_REVIEW_ADDRESS: "reviews@example.com",
      },
    });
    workflow = await server.workflow("Refunds");
    ada = await server.person("reviewer");
    await server.rule({
      events: ["review.opened"],
      scope: { kind: "workflow", workflowId: workflow },
      channel: { type: "email" },
      recipients: [{ kind: "assignees" }],
    });
  });
  beforeEach(() => {
    smtp.mails.length = 0;
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([smtp.stop(), imap.close()]);
    await db.close();
  });

  const asked = async (more: object = {}, by?: Person): Promise<{ review: number; mail: ReceivedMail }> => {
    const assignees = [`user:${ada.email}`];
    const actions = ["approve", "reject"];
    const ask = { title: "Refund 5", proposal: { amount: 5 }, context: {}, actions, assignees, ...more };
    const { review } = await server.run(workflow, { ask }, by);
    await server.tick();
    const mail = smtp.mails.at(-1);
    if (mail === undefined) throw new Error("no mail was sent");
    return { review, mail };
  };
  const next = async (): Promise<void> => {
    clock.now = new Date(clock.now.getTime() + 16_000);
    await server.tick();
  };
  let count = 0;
  /** A reply arrives, and is read. @returns what it is answered with */
  const reply = async (
    mail: ReceivedMail,
    text: string,
    { from = ada.email, header = "X-Mailer: Test" }: { from?: string; header?: string } = {},
  ): Promise<ReceivedMail[]> => {
    smtp.mails.length = 0;
    count++;
    imap.deliver(
      `From: Ada <${from}>\nTo: ${mail.headers["reply-to"]}\nSubject: Re: x\nMessage-ID: <${count}@example.com>\n${header}\n\n${text}\n\n> what was quoted\n`,
    );
    await next();
    return [...smtp.mails];
  };
  const reviewOf = async (id: number) => (await server.oven.call("GET", `reviews/${id}`)).body;

  it("approves what the mail shows whole, says so, and counts once", async () => {
    const long = "y".repeat(1_500);
    const { review, mail } = await asked({ proposal: { amount: 5, letter: long } });
    expect(mail.headers["reply-to"]).toMatch(/^reviews\+[0-9a-f]{32}@example\.com$/);
    expect(mail.body).toContain("Reply to this mail with the one word “approve”");
    expect(mail.body.replace(/\s/g, "")).toContain(long);
    const [answer] = await reply(mail, "Approve");
    expect(await reviewOf(review)).toMatchObject({ status: "decided", action: "approve", decidedBy: ada.id });
    expect(answer).toMatchObject({
      to: [ada.email],
      headers: { "auto-submitted": "auto-replied", "in-reply-to": `<${count}@example.com>` },
    });
    expect(answer?.headers).not.toHaveProperty("reply-to");
    expect(answer?.body).toContain("Approved.");
    const [again] = await reply(mail, "reject: no");
    expect(again?.body).toContain("A reply to that mail was taken already");
    expect((await reviewOf(review)).action).toBe("approve");
    const { body: log } = await server.oven.call(
      "GET",
      `audit-log?filter={"targetType":"reviews","targetId":"${review}"}`,
    );
    expect(log).toMatchObject([{ action: "POST reviews/[id]/decide from mail", outcome: "done", userId: ada.id }]);
    expect(imap.list().every(({ flags }) => flags.includes("\\Seen"))).toBe(true);
  });

  it("asks for a word that it knows, and then takes it", async () => {
    const { review, mail } = await asked();
    const [answer] = await reply(mail, "Sounds good, approve it");
    expect(answer?.body).toContain("Nothing was decided.");
    expect((await reviewOf(review)).status).toBe("open");
    await reply(mail, "reject: paid already");
    expect(await reviewOf(review)).toMatchObject({ status: "decided", action: "reject", reason: "paid already" });
  });

  it.each([
    ["from another address", { from: "eve@example.com" }],
    ["of a program", { header: "Auto-Submitted: auto-replied" }],
  ])("leaves a reply %s alone, and answers no one", async (_what, more) => {
    const { review, mail } = await asked();
    expect(await reply(mail, "approve", more)).toEqual([]);
    expect((await reviewOf(review)).status).toBe("open");
    await reply(mail, "approve");
    expect((await reviewOf(review)).status).toBe("decided");
  });

  it("says why it was not taken: decided elsewhere, asked for by the person, changed, or too late", async () => {
    const bob = await server.person("owner");
    const elsewhere = await asked();
    await bob.call("POST", `reviews/${elsewhere.review}/decide`, { action: "reject", reason: "No" });
    // Words that it does not know are not answered by how to decide what is decided.
    expect((await reply(elsewhere.mail, "fine with me"))[0]?.body).toContain("This review is not open any more");
    expect((await reply(elsewhere.mail, "approve"))[0]?.body).toContain("This review was decided: reject already");
    await db.query("update user_roles set role = 'operator' where user_id = $1", [ada.id]);
    const own = await asked({ policy: { notRequester: true } }, ada);
    await db.query("update user_roles set role = 'reviewer' where user_id = $1", [ada.id]);
    expect((await reply(own.mail, "approve"))[0]?.body).toContain("You asked for this run");
    const changed = await asked({ actions: ["approve", "edit", "reject"], policy: { approvals: 2 } });
    const { digest } = await reviewOf(changed.review);
    await bob.call("POST", `reviews/${changed.review}/decide`, { action: "edit", data: { amount: 9 }, digest });
    expect((await reply(changed.mail, "approve"))[0]?.body).toContain(
      "What you were shown is not what this review is about",
    );
    expect((await reviewOf(changed.review)).status).toBe("open");
    const late = await asked();
    clock.now = new Date(clock.now.getTime() + 7 * 86_400_000);
    expect((await reply(late.mail, "approve"))[0]?.body).toContain("The time to reply to that mail is over");
    expect((await reviewOf(late.review)).status).toBe("open");
  });

  it.each([
    ["cannot be undone", { tool: "orders.refund" }],
    ["asks for data", { actions: ["submit", "reject"] }],
    ["is too long for a message", { proposal: { letter: "x".repeat(8_001) } }],
  ])("offers no reply about what %s", async (_what, more) => {
    const { mail } = await asked(more);
    expect(mail.headers).not.toHaveProperty("reply-to");
    expect(mail.body).not.toContain("Reply to this mail");
  });

  it("says the result again after a crash between the decision and its answer", async () => {
    const { review, mail } = await asked();
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    smtp.refusals.push({ code: 451, message: "try later" });
    expect(await reply(mail, "approve")).toEqual([]);
    expect(logged.mock.calls.flat().join(" ")).toContain("the mailbox for replies to reviews");
    logged.mockRestore();
    expect((await reviewOf(review)).status).toBe("decided");
    await next();
    expect(smtp.mails[0]?.body).toContain("Approved.");
  });
});
