import { createHmac } from "node:crypto";
import type { Notification } from "@oven/contract/system";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { MAIL_PASSWORD, type MailServer, startMailServer } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { type Receiver, startReceiver } from "./deliveries/testing/receiver.ts";
import {
  startNotifications,
  type TestClock,
  type TestNotifications,
} from "./deliveries/testing/start-notifications.ts";

const MINUTE = 60_000;
const mailRule = (more: object = {}) => ({
  events: ["run.failed"],
  channel: { type: "email" },
  recipients: [{ kind: "starter" }],
  ...more,
});

describe.each(testDatabases(inject("postgresUrl")))("notifications on $name", ({ name, open }) => {
  const clock: TestClock = { now: new Date() };
  let database: TestDatabase;
  let mail: MailServer;
  let receiver: Receiver;
  let first: TestNotifications;
  /** Three on PostgreSQL; PGlite is one process's. */
  let all: TestNotifications[];
  beforeAll(async () => {
    [database, mail, receiver] = [await open(), await startMailServer(), await startReceiver()];
    const options = {
      db: database.db,
      mail: { url: mail.url, from: "OVEN <oven@example.com>" },
      outboundAllow: [receiver.origin],
    };
    first = await startNotifications(clock, options);
    all = [first];
    if (name === "PostgreSQL") for (let more = 0; more < 2; more++) all.push(await startNotifications(clock, options));
  });
  beforeEach(async () => {
    mail.mails.length = 0;
    receiver.posts.length = 0;
    await database.db.query("delete from notification_rules");
    await database.db.query("delete from notification_deliveries");
    clock.now = new Date();
  });
  afterAll(async () => {
    for (const one of all) await one.stop();
    await Promise.all([mail.stop(), receiver.stop()]);
    await database.close();
  });

  const tick = async () => {
    await first.settled();
    await Promise.all(all.map((one) => one.tick()));
  };
  const later = async (milliseconds: number) => {
    clock.now = new Date(clock.now.getTime() + milliseconds);
    await tick();
  };

  it.each([
    [undefined, { completed: 0, failed: 1 }],
    [
      { onComplete: false, onFailure: false },
      { completed: 0, failed: 0 },
    ],
    [
      { onComplete: true, onFailure: false },
      { completed: 1, failed: 0 },
    ],
    [
      { onComplete: false, onFailure: true },
      { completed: 0, failed: 1 },
    ],
    [
      { onComplete: true, onFailure: true },
      { completed: 1, failed: 1 },
    ],
  ])(
    "tell whoever started a run of its end, as its workflow says: %j [001-208] [001-043] [001-067] [001-027] [001-028]",
    async (said, expected) => {
      const person = await first.person();
      const workflow = await first.workflow();
      if (said === undefined) {
        const fresh = await first.oven.call("GET", `workflows/${workflow}/notify`);
        expect(fresh.body).toEqual({ onComplete: false, onFailure: true });
      } else {
        expect((await first.oven.call("PUT", `workflows/${workflow}/notify`, said)).body).toEqual(said);
        expect((await first.oven.call("GET", `workflows/${workflow}/notify`)).body).toEqual(said);
      }
      const completed = await first.run(workflow, {}, person);
      const failed = await first.run(workflow, { fail: "no paper" }, person);
      await first.settled();
      const inbox = await person.inbox();
      const about = (id: number) => inbox.filter(({ executionId }) => executionId === id);
      expect({ completed: about(completed.run).length, failed: about(failed.run).length }).toEqual(expected);
      if (expected.failed > 0)
        expect(about(failed.run)[0]).toMatchObject({
          kind: "run.failed",
          text: expect.stringContaining("no paper"),
          link: `/workflow-executions/${failed.run}`,
          readAt: null,
        });
    },
  );

  it("show each person their own, count what is unread, and mark it read", async () => {
    const [ada, bob] = [await first.person(), await first.person()];
    const workflow = await first.workflow();
    for (let n = 0; n < 3; n++) await first.run(workflow, { fail: "x" }, ada);
    await first.settled();
    const [one] = await ada.inbox();
    expect((await ada.call("GET", "notifications/unread")).body).toEqual({ unread: 3 });
    expect((await bob.call("GET", "notifications/unread")).body).toEqual({ unread: 0 });
    expect((await bob.call("GET", `notifications/${one?.id}`)).status).toBe(404);
    expect((await bob.call("POST", `notifications/${one?.id}/read`)).status).toBe(404);
    const read = await ada.call("POST", `notifications/${one?.id}/read`);
    expect(read.body.readAt).toBe(clock.now.toISOString());
    expect((await ada.call("GET", 'notifications?filter={"readAt":null}')).body).toHaveLength(2);
    expect((await bob.call("POST", "notifications/read")).body).toEqual({ marked: 0 });
    expect((await ada.call("POST", "notifications/read")).body).toEqual({ marked: 2 });
    expect((await ada.call("GET", "notifications/unread")).body).toEqual({ unread: 0 });
  });

  it("say once that a budget is spent, to whom a rule names, and lead to the run that was refused", async () => {
    const [ada, other] = [await first.person("admin"), await first.person()];
    await first.rule({
      events: ["budget.exhausted"],
      channel: { type: "in-app" },
      recipients: [{ kind: "user", userId: ada.id }],
      text: "{{ $.budget.spentMicros }} of {{ $.budget.limitMicros }}",
    });
    // A rule about one workflow is about none of its money.
    const scope = { kind: "workflow", workflowId: await first.workflow() };
    await first.rule({
      events: ["budget.exhausted", "run.failed"],
      scope,
      channel: { type: "in-app" },
      recipients: [{ kind: "user", userId: other.id }],
    });
    const spent = {
      ...{ budgetId: 4, name: "Support", scope: "tenant", subject: "tenant", period: "2026-11", action: "block" },
      ...{ limitMicros: 2_500, limitTokens: null, spentMicros: 3_000, spentTokens: 300 },
    };
    await first.happen("ai.budget.exhausted", { ...spent, executionKind: "agent-workflow", executionId: 77 });
    await first.happen("ai.budget.exhausted", { ...spent, executionKind: null, executionId: null });
    const next = { ...spent, period: "2026-12", executionKind: null, executionId: null };
    await first.happen("ai.budget.exhausted", next);
    await first.settled();
    const of = ({ subject, text, link, executionId }: Notification) => ({ subject, text, link, executionId });
    const subject = "The budget Support is spent";
    expect((await ada.inbox()).map(of)).toEqual([
      { subject, text: "3000 of 2500", link: "/agent-workflow-executions/77", executionId: null },
      { subject, text: "3000 of 2500", link: "/events", executionId: null },
    ]);
    expect(await other.inbox()).toEqual([]);
  });

  it("say to the owner of a trigger that it no longer works, and to whom a rule about its workflow names", async () => {
    const [owner, other] = [await first.person(), await first.person("admin")];
    const workflowId = await first.workflow();
    const rule = {
      events: ["trigger.unusable"],
      scope: { kind: "workflow", workflowId },
      channel: { type: "in-app" },
      recipients: [{ kind: "user", userId: other.id }],
      text: "{{ $.unusableTrigger.name }}: {{ $.unusableTrigger.problem }}",
    };
    await first.rule(rule);
    await first.rule({ ...rule, scope: { kind: "workflow", workflowId: await first.workflow() } });
    const payload = {
      ...{ triggerId: 8, name: "Nightly", type: "schedule", kind: "workflow", workflowId, workflowName: "Topics" },
      ...{ version: 2, problem: { path: "$.input", message: "It needs count", fix: "Add it" }, ownerId: owner.id },
    };
    await first.happen("triggers.trigger.unusable", payload);
    await first.happen("triggers.trigger.unusable", payload);
    await first.settled();
    const subject = "The trigger Nightly no longer works";
    const link = "/triggers/8/show";
    expect(await owner.inbox()).toMatchObject([
      {
        subject,
        link,
        text: "Topics was changed, and each firing of Nightly will be refused: It needs count",
        kind: "trigger.unusable",
        executionKind: null,
      },
    ]);
    expect(await other.inbox()).toMatchObject([{ subject, link, text: "Nightly: It needs count" }]);
  });

  it("say to who began a candidate that its rule has stopped it, and to nobody else", async () => {
    const [owner, other] = [await first.person(), await first.person("admin")];
    const id = await first.workflow();
    const payload = {
      ...{ id, name: "Topics", slug: "topics", version: 4, failed: 6, ended: 20 },
      ...{ why: "6 of 20 runs failed", startedBy: owner.id },
    };
    await first.happen("workflows.workflow.canary-stopped", payload);
    await first.settled();
    expect(await owner.inbox()).toMatchObject([
      {
        kind: "canary.stopped",
        subject: "The candidate of Topics was stopped",
        text: "New runs of Topics no longer take version 4: 6 of 20 runs failed",
        link: `/workflows/${id}/show?tab=versions`,
      },
    ]);
    expect(await other.inbox()).toEqual([]);
  });

  it("say to those who may approve tools that a server changed some, each time, and to nobody else", async () => {
    const [owner, editor] = [await first.person("owner"), await first.person("editor")];
    const payload = { connectionId: 4, connection: "Shop", tools: ["mcp.shop.pay", "mcp.shop.stock"] };
    await first.happen("mcp-connections.tool.changed", payload);
    await first.settled();
    await first.happen("mcp-connections.tool.changed", payload);
    await first.settled();
    const told = {
      kind: "mcp-tool.changed",
      subject: "Shop changed tools that were approved",
      text: expect.stringContaining("mcp.shop.pay, mcp.shop.stock"),
      link: "/mcp-connections/4/show",
    };
    expect(await owner.inbox()).toMatchObject([told, told]);
    expect(await editor.inbox()).toEqual([]);
  });

  it("say to those who may approve agents that one shows another card", async () => {
    const [owner, editor] = [await first.person("owner"), await first.person("editor")];
    const payload = { connectionId: 6, connection: "Weather", tools: ["a2a.weather.ask"] };
    await first.happen("a2a-connections.agent.changed", payload);
    await first.settled();
    expect(await owner.inbox()).toMatchObject([
      {
        kind: "a2a-agent.changed",
        subject: "The card of Weather is no longer the one that was approved",
        link: "/a2a-connections/6/show",
      },
    ]);
    expect(await editor.inbox()).toEqual([]);
  });

  it("say to those who may approve operations that the document of an API changed some", async () => {
    const [owner, editor] = [await first.person("owner"), await first.person("editor")];
    const payload = { connectionId: 5, connection: "Orders", tools: ["api.orders.refund"] };
    await first.happen("api-connections.operation.changed", payload);
    await first.settled();
    expect(await owner.inbox()).toMatchObject([
      {
        kind: "api-operation.changed",
        link: "/api-connections/5/show",
        text: expect.stringContaining("api.orders.refund"),
      },
    ]);
    expect(await editor.inbox()).toEqual([]);
  });

  it("refuse words that an event about a budget does not have", async () => {
    const refused = await first.oven.call("POST", "notification-rules", {
      name: "Odd",
      events: ["budget.exhausted"],
      channel: { type: "in-app" },
      recipients: [{ kind: "starter" }],
      subject: "{{ $.workflow.name }}",
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ code: "INVALID_NOTIFICATION_RULE", path: "$.subject" });
  });

  it("tell nobody twice in the dashboard: a rule stands in for what is told anyway", async () => {
    const person = await first.person();
    await first.rule({
      events: ["run.failed"],
      channel: { type: "in-app" },
      recipients: [{ kind: "starter" }],
      text: "Ours",
    });
    await first.run(await first.workflow(), { fail: "x" }, person);
    await first.settled();
    expect((await person.inbox()).map(({ text }) => text)).toEqual(["Ours"]);
  });

  it("tell those whom a review asks, and lead to its page [004-072]", async () => {
    const [lead, other] = [await first.person("reviewer"), await first.person("reviewer")];
    const workflow = await first.workflow();
    const request = { title: "May I?", proposal: {}, assignees: [`user:${lead.id}`] };
    const { run, review } = await first.run(workflow, { ask: request });
    await first.settled();
    expect(await lead.inbox()).toMatchObject([
      {
        kind: "review.opened",
        subject: "Review: May I?",
        link: `/reviews/${review}`,
        reviewId: review,
        executionId: run,
      },
    ]);
    expect(await other.inbox()).toEqual([]);
    const { body: events } = await first.oven.call(
      "GET",
      `events?filter={"name":"workflows.review.opened","executionId":${run}}`,
    );
    expect(events).toMatchObject([
      {
        payload: {
          reviewId: review,
          executionId: run,
          workflowId: workflow,
          nodeId: "ask",
          title: "May I?",
          dueAt: null,
        },
      },
    ]);
    const anybody = await first.run(workflow, { ask: { title: "Anybody?", proposal: {} } });
    await first.settled();
    for (const person of [lead, other])
      expect((await person.inbox()).map(({ reviewId }) => reviewId)).toContain(anybody.review);
  });

  it("say once that a review's deadline is near, and nothing when it was decided by then", async () => {
    const lead = await first.person("reviewer");
    const rule = await first.rule({
      events: ["review.deadline"],
      channel: { type: "email" },
      recipients: [{ kind: "assignees" }],
    });
    const workflow = await first.workflow();
    const ask = (title: string, minutes: number) => {
      const dueAt = new Date(clock.now.getTime() + minutes * MINUTE).toISOString();
      return first.run(workflow, { ask: { title, proposal: {}, assignees: [`user:${lead.email}`], dueAt } });
    };
    const [soon, decided] = [await ask("Soon", 90), await ask("Decided", 90)];
    await tick();
    await later(29 * MINUTE);
    expect(mail.mails).toHaveLength(0);
    const { body } = await first.oven.call("GET", `reviews/${decided.review}`);
    await first.oven.call("POST", `reviews/${decided.review}/decide`, { action: "approve", digest: body.digest });
    for (const minutes of [2, 5, 10]) {
      await later(minutes * MINUTE);
      await tick();
    }
    expect(mail.mails.map(({ to, headers }) => [to, headers.subject])).toEqual([[[lead.email], "Due soon: Soon"]]);
    expect(await first.deliveries(rule.id)).toMatchObject([
      { status: "sent", eventKey: `review:${soon.review}:deadline` },
    ]);
    const said = await first.oven.call(
      "GET",
      'events?filter={"name":"notifications.review.due-soon"}&sort=["id","ASC"]',
    );
    expect(said.body.map(({ payload }: { payload: { reviewId: number } }) => payload.reviewId)).toEqual([soon.review]);
    const inApp = (await lead.inbox()).filter(({ kind }) => kind === "review.deadline");
    expect(inApp.map(({ reviewId }) => reviewId)).toEqual([soon.review]);
  });

  it("tell those to whom a review is delegated, or escalated at its deadline, and only them", async () => {
    const [first_, second, third] = [
      await first.person("reviewer"),
      await first.person("reviewer"),
      await first.person("reviewer"),
    ];
    const workflow = await first.workflow();
    const told = async (person: typeof first_) =>
      (await person.inbox()).filter(({ kind }) => kind === "review.assigned").map(({ reviewId }) => reviewId);
    const onDeadline = { escalateTo: [`user:${third.email}`], dueIn: "P1D" };
    const ask = { title: "Late", proposal: {}, assignees: [`user:${first_.email}`, `user:${second.email}`] };
    const dueAt = new Date(Date.now() + 800).toISOString();
    const { review: late } = await first.run(workflow, { ask: { ...ask, dueAt, policy: { onDeadline } } });
    await expect.poll(() => told(third), { timeout: 20_000 }).toEqual([late]);
    expect([await told(first_), await told(second)]).toEqual([[], []]);
    const { review } = await first.run(workflow, { ask: { ...ask, title: "On leave" } });
    const { status } = await first.oven.call("POST", `reviews/${review}/delegate`, { to: `user:${third.email}` });
    expect(status).toBe(200);
    await expect.poll(() => told(third), { timeout: 20_000 }).toEqual([late, review]);
    expect([await told(first_), await told(second)]).toEqual([[], []]);
  });

  it("gather mail about reviews that ask nobody by name, and show what is to be decided", async () => {
    const [lead, early] = [await first.person("reviewer"), await first.person("reviewer")];
    await first.rule({ events: ["review.opened"], channel: { type: "email" }, recipients: [{ kind: "assignees" }] });
    await lead.call("PUT", "notification-preferences", { timezone: "Asia/Tokyo" });
    const workflow = await first.workflow();
    const dueAt = "2031-05-06T03:30:00.000Z";
    const proposal = { order: 8841, letter: "Dear <b>Ada</b>" };
    const ask = { title: "Refund", proposal, context: { because: "late" }, actions: ["approve", "reject"], dueAt };
    const named = await first.run(workflow, { ask: { ...ask, assignees: [`user:${lead.email}`] } });
    await first.settled();
    await tick();
    expect(mail.mails.map(({ to }) => to)).toEqual([[lead.email]]);
    const text = mail.mails[0]?.body.replaceAll("\r\n", "\n") ?? "";
    expect(text).toContain("Proposed: order: 8841\nletter: Dear <b>Ada</b>");
    expect(text).toContain("Why: because: late");
    expect(text).toContain("Due: Tuesday, 6 May 2031 at 12:30");
    expect(text).toContain("Dear &lt;b&gt;Ada&lt;/b&gt;");
    expect(text).toContain(`/reviews/${named.review}?action=reject`);
    expect(text).not.toContain("action=edit");
    await first.run(workflow, { ask });
    await first.run(workflow, { ask: { ...ask, title: "Another" } });
    await first.settled();
    await tick();
    expect(mail.mails).toHaveLength(1);
    await later(60 * MINUTE);
    await tick();
    const gathered = mail.mails.slice(1).filter(({ to }) => [lead.email, early.email].includes(to[0] ?? ""));
    expect(gathered.map(({ to, headers }) => [to[0], headers.subject]).toSorted()).toEqual(
      [
        [lead.email, "2 notifications"],
        [early.email, "2 notifications"],
      ].toSorted(),
    );
  });

  it("count what is still to be done: a review that another person has decided is not", async () => {
    const [ada, bea] = [await first.person("reviewer"), await first.person("reviewer")];
    const workflow = await first.workflow();
    const assignees = [`user:${ada.email}`, `user:${bea.email}`];
    const { review } = await first.run(workflow, { ask: { title: "Once", proposal: {}, assignees } });
    await first.settled();
    expect((await bea.call("GET", "notifications/unread")).body).toEqual({ unread: 1 });
    const { body } = await ada.call("GET", `reviews/${review}`);
    await ada.call("POST", `reviews/${review}/decide`, { action: "approve", digest: body.digest });
    expect((await bea.call("GET", "notifications/unread")).body).toEqual({ unread: 0 });
    expect((await bea.call("GET", 'notifications?filter={"pending":true}')).body).toEqual([]);
    expect((await bea.call("GET", 'notifications?filter={"readAt":null}')).body).toHaveLength(1);
  });

  it("send mail in the words of the rule, with what came from the run as text", async () => {
    const person = await first.person();
    const workflow = await first.workflow("Billing <b>& more</b>");
    await first.rule(
      mailRule({
        scope: { kind: "workflow", workflowId: workflow },
        subject: "{{ $.workflow.name }}: {{ $.execution.error }}",
        text: "Run {{ $.execution.id }} said {{ $.execution.error }}",
      }),
    );
    const { run } = await first.run(workflow, { fail: "<img src=x onerror=alert(1)>\r\nBcc: eve@example.com" }, person);
    await first.run(await first.workflow(), { fail: "of another workflow" }, person);
    await tick();
    expect(mail.mails).toHaveLength(1);
    const [sent] = mail.mails;
    expect(sent?.to).toEqual([person.email]);
    expect(sent?.headers).toMatchObject({
      from: "OVEN <oven@example.com>",
      to: person.email,
      "auto-submitted": "auto-generated",
      "message-id": expect.stringMatching(/^<oven-1-\d+@localhost>$/),
    });
    expect(sent?.headers.subject).toContain("Billing <b>& more</b>");
    const [delivery] = (await first.oven.call("GET", "notification-deliveries")).body;
    expect(delivery.subject).toBe("Billing <b>& more</b>: <img src=x onerror=alert(1)> Bcc: eve@example.com");
    expect(sent?.headers).not.toHaveProperty("bcc");
    const [text = "", html = ""] = (sent?.body ?? "").split("<!doctype html>");
    expect(text).toContain(`Run ${run} said`);
    expect(text).toContain(`http://localhost:3000/workflow-executions/${run}`);
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(html).not.toContain("<img");
    expect(html).toContain(`href="http://localhost:3000/workflow-executions/${run}"`);
  });

  it("send each message once, however many processes look and however often its event comes", async () => {
    const [ada, bob] = [await first.person("editor"), await first.person("operator")];
    const rule = await first.rule(
      mailRule({
        recipients: [{ kind: "user", userId: ada.id }, { kind: "user", userId: bob.id }, { kind: "starter" }],
      }),
    );
    const workflow = await first.workflow();
    const runs = [];
    for (let n = 0; n < 4; n++) runs.push((await first.run(workflow, { fail: "x" }, ada)).run);
    await first.settled();
    // As after a crash between the listener's work and the note that it was done.
    await database.db.query(
      "update outbox_deliveries set delivered_at = null where listener like 'module-notifications:%'",
    );
    await database.db.query("update outbox_events set delivered_at = null where name like '%.execution.failed'");
    await first.oven.call("PUT", `workflows/${workflow}`, { name: `Wakes the outbox ${name}` });
    await first.settled();
    await Promise.all([...all, ...all].map((one) => one.tick()));
    await tick();
    const sent = mail.mails.map(({ to, headers }) => `${to} ${headers["message-id"]}`);
    expect(sent).toHaveLength(8);
    expect(new Set(sent).size).toBe(8);
    expect((await first.deliveries(rule.id)).map(({ status, attempts }) => [status, attempts])).toEqual(
      Array.from({ length: 8 }, () => ["sent", 1]),
    );
    // Several processes hand them over at once, in whatever order.
    const told = (await ada.inbox()).map(({ executionId }) => executionId);
    expect(told.toSorted()).toEqual(runs.toSorted());
  });

  it("go on with what a process that died had taken, after a minute", async () => {
    const rule = await first.rule(mailRule());
    await first.run(await first.workflow(), { fail: "x" }, await first.person());
    await first.settled();
    await database.db.query("update notification_deliveries set attempts = 1, next_attempt_at = $1", [
      new Date(clock.now.getTime() + MINUTE),
    ]);
    await tick();
    expect(mail.mails).toHaveLength(0);
    await later(MINUTE + 1);
    expect(mail.mails).toHaveLength(1);
    expect(await first.deliveries(rule.id)).toMatchObject([{ status: "sent", attempts: 2 }]);
  });

  it("are tried again when the mail server is busy, given up when it refuses them, and can be sent anew", async () => {
    const rule = await first.rule(mailRule());
    const person = await first.person();
    const workflow = await first.workflow();
    mail.refusals.push({ code: 451, message: "try later" });
    await first.run(workflow, { fail: "busy" }, person);
    await tick();
    expect(await first.deliveries(rule.id)).toMatchObject([
      { status: "pending", attempts: 1, reason: expect.stringContaining("try later") },
    ]);
    await later(9_000);
    expect(mail.mails).toHaveLength(0);
    await later(2_000);
    expect(mail.mails).toHaveLength(1);

    mail.refusals.push({ code: 550, message: "no such person" });
    await first.run(workflow, { fail: "refused" }, person);
    await tick();
    const [, dead] = await first.deliveries(rule.id);
    expect(dead).toMatchObject({ status: "failed", attempts: 1, reason: expect.stringContaining("no such person") });
    const again = await first.oven.call("POST", `notification-deliveries/${dead?.id}/replay`);
    expect(again).toMatchObject({ status: 201, body: { replayOf: dead?.id, status: "pending" } });
    await tick();
    expect((await first.deliveries(rule.id)).map(({ status }) => status)).toEqual(["sent", "failed", "sent"]);
    expect(mail.mails).toHaveLength(2);
  });

  it("are given up after eight attempts", async () => {
    const rule = await first.rule({
      events: ["run.failed"],
      channel: { type: "webhook", url: `${receiver.origin}/down` },
    });
    receiver.answers.push(...Array.from({ length: 8 }, () => 503));
    await first.run(await first.workflow(), { fail: "x" });
    await tick();
    for (let n = 0; n < 10; n++) await later(60 * MINUTE);
    expect(receiver.posts).toHaveLength(8);
    expect(await first.deliveries(rule.id)).toMatchObject([
      { status: "failed", attempts: 8, reason: "The receiver answered 503" },
    ]);
  });

  it("wait for the end of a person's quiet hours, and gather where they want a digest", async () => {
    clock.now = new Date("2026-06-01T21:15:00Z");
    const [quiet, gathers, off] = [await first.person(), await first.person(), await first.person()];
    const wishes = (more: object) => ({
      kinds: {},
      quietHours: null,
      timezone: "Europe/Vienna",
      digest: "none",
      ...more,
    });
    const night = { from: "22:00", to: "07:00" };
    expect((await quiet.call("PUT", "notification-preferences", wishes({ quietHours: night }))).status).toBe(200);
    await gathers.call("PUT", "notification-preferences", wishes({ digest: "hourly" }));
    await off.call(
      "PUT",
      "notification-preferences",
      wishes({ kinds: { "run.failed": { inApp: false, email: false } } }),
    );
    expect((await quiet.call("GET", "notification-preferences")).body.quietHours).toEqual(night);
    const rule = await first.rule(
      mailRule({ recipients: [quiet, gathers, off].map(({ id }) => ({ kind: "user", userId: id })) }),
    );
    const workflow = await first.workflow();
    for (let n = 0; n < 3; n++) await first.run(workflow, { fail: `number ${n}` }, off);
    await tick();
    expect(mail.mails).toHaveLength(0);
    expect(await off.inbox()).toEqual([]);
    await later(45 * MINUTE);
    expect(mail.mails.map(({ to, headers }) => [to, headers.subject])).toEqual([[[gathers.email], "3 notifications"]]);
    for (let n = 0; n < 3; n++) expect(mail.mails[0]?.body).toContain(`number ${n}`);
    clock.now = new Date("2026-06-02T04:59:00Z");
    await tick();
    expect(mail.mails).toHaveLength(1);
    await later(MINUTE);
    expect(mail.mails.slice(1).map(({ to }) => to)).toEqual([[quiet.email], [quiet.email], [quiet.email]]);
    const skipped = (await first.deliveries(rule.id)).filter(({ status }) => status === "skipped");
    expect(skipped.map(({ recipient }) => recipient)).toEqual([off.email, off.email, off.email]);
  });

  it("sign webhooks as Standard Webhooks says, hold them back in quiet hours, and follow no redirect", async () => {
    clock.now = new Date("2026-06-01T23:00:00Z");
    const key = Buffer.from("a key of the receiver, of 32 bytes").toString("base64");
    await first.oven.call("POST", "secrets", {
      name: `hook-${name.toLowerCase()}`,
      value: `whsec_${key}`,
      hosts: [receiver.host],
    });
    const channel = {
      type: "webhook",
      url: `${receiver.origin}/hook`,
      secret: { $secret: `hook-${name.toLowerCase()}` },
    };
    const rule = await first.rule({ events: ["run.failed"], channel, quietHours: { from: "22:00", to: "07:00" } });
    const { run } = await first.run(await first.workflow("Hooked"), { fail: "x" });
    await tick();
    expect(receiver.posts).toEqual([]);
    receiver.answers.push(307);
    clock.now = new Date("2026-06-02T07:00:00Z");
    await tick();
    await later(MINUTE);
    expect(receiver.posts.map(({ path }) => path)).toEqual(["/hook", "/hook"]);
    const [one, two] = receiver.posts;
    for (const post of [one, two]) {
      const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = post?.headers ?? {};
      const expected = createHmac("sha256", Buffer.from(key, "base64"))
        .update(`${id}.${at}.${post?.body}`)
        .digest("base64");
      expect(signature).toBe(`v1,${expected}`);
    }
    expect(one?.headers["webhook-id"]).toBe(two?.headers["webhook-id"]);
    expect(JSON.parse(two?.body ?? "")).toMatchObject({
      type: "run.failed",
      data: {
        subject: "Hooked has failed",
        link: `http://localhost:3000/workflow-executions/${run}`,
        workflow: { name: "Hooked" },
        execution: { id: run, status: "failed" },
      },
    });
    expect(await first.deliveries(rule.id)).toMatchObject([{ status: "sent", attempts: 2, recipient: receiver.host }]);
  });

  it("speak to Slack by an address that is a secret, and mention nobody", async () => {
    const address = `${receiver.origin}/services/T0/B0/very-secret-part`;
    await first.oven.call("POST", "secrets", {
      name: `slack-${name.toLowerCase()}`,
      value: address,
      hosts: [receiver.host],
    });
    const channel = { type: "slack", url: { $secret: `slack-${name.toLowerCase()}` }, host: receiver.host };
    const subject = "{{ $.workflow.name }}: {{ $.execution.error }}";
    const rule = await first.rule({ events: ["run.failed"], channel, subject });
    await first.run(await first.workflow(`Looks at ${address}`), { fail: `<!channel> look at ${address}` });
    await tick();
    expect(receiver.posts.map(({ path }) => path)).toEqual(["/services/T0/B0/very-secret-part"]);
    const sent = JSON.parse(receiver.posts[0]?.body ?? "");
    expect(sent.blocks[1].text).toMatchObject({
      type: "plain_text",
      text: expect.stringContaining("<!channel> look at"),
    });
    expect(sent.text).not.toContain("<!");
    const shown = JSON.stringify([await first.deliveries(rule.id), receiver.posts[0]?.body]);
    expect(shown).not.toContain("very-secret-part");
    const elsewhere = { type: "slack", url: { $secret: `slack-${name.toLowerCase()}` } };
    const wrong = await first.rule({ events: ["run.failed"], channel: elsewhere });
    await first.run(await first.workflow(), { fail: "x" });
    await tick();
    expect(await first.deliveries(wrong.id)).toMatchObject([
      { status: "failed", reason: expect.stringContaining("SECRET_HOST_REFUSED") },
    ]);
  });

  it("send the address of one host to no other", async () => {
    const secret = `two-hosts-${name.toLowerCase()}`;
    const hosts = [receiver.host, "hooks.slack.com"];
    await first.oven.call("POST", "secrets", { name: secret, value: `${receiver.origin}/hidden-part`, hosts });
    const rule = await first.rule({ events: ["run.failed"], channel: { type: "slack", url: { $secret: secret } } });
    await first.run(await first.workflow(), { fail: "x" });
    await tick();
    expect(receiver.posts).toEqual([]);
    expect(await first.deliveries(rule.id)).toMatchObject([
      { status: "failed", reason: `The secret ${secret} is not an address of hooks.slack.com` },
    ]);
  });

  it("end at once when the receiver is gone for good", async () => {
    const channel = { type: "webhook", url: `${receiver.origin}/gone` };
    const rule = await first.rule({ events: ["run.failed"], channel });
    receiver.answers.push(410);
    await first.run(await first.workflow(), { fail: "x" });
    await tick();
    expect(await first.deliveries(rule.id)).toMatchObject([{ status: "failed", attempts: 1 }]);
    expect(receiver.posts[0]?.headers).not.toHaveProperty("webhook-signature");
  });

  it("are not sent about a review that was closed while they waited", async () => {
    clock.now = new Date("2026-06-01T23:00:00Z");
    const lead = await first.person("reviewer");
    const quietHours = { from: "22:00", to: "07:00" };
    await lead.call("PUT", "notification-preferences", { quietHours });
    const recipients = [{ kind: "assignees" }];
    const rule = await first.rule({ events: ["review.opened"], channel: { type: "email" }, recipients });
    const asked = { title: "At night", proposal: {}, assignees: [`user:${lead.id}`] };
    const { review } = await first.run(await first.workflow(), { ask: asked });
    await tick();
    const { body } = await first.oven.call("GET", `reviews/${review}`);
    await first.oven.call("POST", `reviews/${review}/decide`, { action: "approve", digest: body.digest });
    await later(9 * 60 * MINUTE);
    expect(mail.mails).toEqual([]);
    expect(await first.deliveries(rule.id)).toMatchObject([
      { status: "skipped", reason: "The review was closed meanwhile" },
    ]);
  });

  it("reach nobody who may not sign in, and say nothing of dry runs", async () => {
    const [gone, leaving] = [await first.person(), await first.person()];
    const disable = (id: number) => database.db.query("update users set disabled_at = now() where id = $1", [id]);
    await disable(gone.id);
    const people = [gone, leaving].map(({ id }) => ({ kind: "user", userId: id }));
    const rule = await first.rule(mailRule({ recipients: people }));
    const workflow = await first.workflow();
    await first.run(workflow, { fail: "x" });
    await first.settled();
    await disable(leaving.id);
    await tick();
    expect(await first.deliveries(rule.id)).toMatchObject([
      { recipient: leaving.email, status: "skipped", reason: "The person may not sign in any more" },
    ]);
    const stays = await first.person();
    const told = await first.rule(mailRule({ recipients: [{ kind: "user", userId: stays.id }] }));
    const dry = { input: { fail: "x" }, options: { dryRun: true } };
    const { body } = await first.oven.call("POST", `workflows/${workflow}/execute?wait=20`, dry);
    expect(body).toMatchObject({ status: "failed", options: { dryRun: true } });
    await tick();
    expect(await first.deliveries(told.id)).toEqual([]);
  });

  it("say nothing of a review that was closed before they were looked for", async () => {
    const person = await first.person();
    const request = { title: "Still?", proposal: {}, assignees: [`user:${person.id}`] };
    const { run, review } = await first.run(await first.workflow(), { ask: request });
    await first.settled();
    expect(await person.inbox()).toMatchObject([{ reviewId: review }]);
    await database.db.query("delete from notifications where review_id = $1", [review]);
    const opened = { reviewId: review, executionId: run };
    await first.happen("workflows.review.opened", opened);
    await first.settled();
    expect(await person.inbox()).toMatchObject([{ reviewId: review }]);
    await database.db.query("delete from notifications where review_id = $1", [review]);
    await first.oven.call("POST", `workflow-executions/${run}/cancel`, {});
    await first.happen("workflows.review.opened", opened);
    await first.settled();
    expect(await person.inbox()).toEqual([]);
  });

  it("refuse a rule about a workflow that is not there", async () => {
    const scope = { kind: "workflow", workflowId: 987_654 };
    const body = { name: "Odd", ...mailRule({ scope }), scope };
    expect((await first.oven.call("POST", "notification-rules", body)).status).toBe(404);
    const rule = await first.rule(mailRule());
    expect((await first.oven.call("PUT", `notification-rules/${rule.id}`, { scope: body.scope })).status).toBe(404);
  });

  it("keep when they were first read", async () => {
    const person = await first.person();
    await first.run(await first.workflow(), { fail: "x" }, person);
    await first.settled();
    const [{ id } = { id: 0 }] = await person.inbox();
    const read = async () => (await person.call("POST", `notifications/${id}/read`, {})).body.readAt;
    const at = await read();
    expect(at).toBe(clock.now.toISOString());
    clock.now = new Date(clock.now.getTime() + 60 * MINUTE);
    expect(await read()).toBe(at);
  });

  it("are given up when their rule goes another way by the time they are sent", async () => {
    const channel = { type: "webhook", url: `${receiver.origin}/hook` };
    const rule = await first.rule({ events: ["run.failed"], channel });
    await first.run(await first.workflow(), { fail: "x" });
    await first.settled();
    const recipients = [{ kind: "starter" }];
    const changed = await first.oven.call("PUT", `notification-rules/${rule.id}`, {
      channel: { type: "email" },
      recipients,
    });
    expect(changed.status).toBe(200);
    await tick();
    expect(receiver.posts).toEqual([]);
    expect(await first.deliveries(rule.id)).toMatchObject([
      { channel: "webhook", status: "failed", reason: "Its rule was deleted, or goes another way now" },
    ]);
  });

  it("reach nothing that is not public, and say so", async () => {
    const rule = await first.rule({
      events: ["run.failed"],
      channel: { type: "webhook", url: "http://127.0.0.1:1/hook" },
    });
    await first.run(await first.workflow(), { fail: "x" });
    await tick();
    expect(await first.deliveries(rule.id)).toMatchObject([
      { status: "failed", attempts: 1, reason: expect.stringContaining("OUTBOUND_REFUSED") },
    ]);
  });

  it("say nothing of what was rolled into another run, and nothing for a rule that is off or gone", async () => {
    const person = await first.person();
    const rule = await first.rule(mailRule({ enabled: false }));
    const workflow = await first.workflow();
    const gone = await first.rule(mailRule({ scope: { kind: "workflow", workflowId: workflow } }));
    const callers = {
      initial: "call",
      states: {
        call: {
          invoke: {
            src: "core.callWorkflow",
            input: { workflow, input: { fail: "in the child" } },
            onDone: "done",
            onError: "done",
          },
        },
        done: { type: "final" },
      },
    };
    const parent = (await first.oven.call("POST", "workflows", { name: `Parent ${name}`, definition: callers })).body
      .id;
    await first.run(parent, {}, person);
    await tick();
    expect(await person.inbox()).toEqual([]);
    expect(mail.mails).toEqual([]);
    await first.oven.call("DELETE", `workflows/${parent}`);
    await first.oven.call("DELETE", `workflows/${workflow}`);
    await first.settled();
    expect((await first.oven.call("GET", `notification-rules/${gone.id}`)).status).toBe(404);
    expect((await first.oven.call("GET", `notification-rules/${rule.id}`)).status).toBe(200);
  });

  it.each([
    ["a path that the event does not have", { text: "{{ $.review.title }}" }, "$.text"],
    ["an expression that is none", { subject: "{{ $.. }}" }, "$.subject"],
    ["nobody to tell", { recipients: [] }, "$.recipients"],
    ["assignees of a run", { recipients: [{ kind: "assignees" }] }, "$.recipients"],
    ["an unknown time zone", { timezone: "Mars/Olympus" }, "$.timezone"],
    ["an address that is none", { channel: { type: "webhook", url: "file:///etc/passwd" } }, "$.channel.url"],
    ["no event", { events: [] }, "$.events"],
    ["quiet hours without an end", { quietHours: { from: "22:00", to: "22:00" } }, "$.quietHours"],
  ])("refuse a rule with %s", async (_what, wrong, path) => {
    const { status, body } = await first.oven.call("POST", "notification-rules", { name: "Wrong", ...mailRule(wrong) });
    expect([status, body.error.path]).toEqual([400, path]);
  });

  it("never show the password of the mail server", async () => {
    const rule = await first.rule(mailRule());
    mail.refusals.push({ code: 451, message: `cannot take ${MAIL_PASSWORD} now` });
    await first.run(await first.workflow(), { fail: "x" }, await first.person());
    await tick();
    const [{ reason } = { reason: null }] = await first.deliveries(rule.id);
    expect(reason).toContain("[password]");
    expect(reason).not.toContain(MAIL_PASSWORD);
  });
});

it("wait for the operator when the mail server does not take its password", async () => {
  const [mail, clock] = [await startMailServer(), { now: new Date() }];
  const settings = { url: mail.url.replace(/:[^:@/]+@/, ":wrong@"), from: "oven@example.com" };
  const one = await startNotifications(clock, { mail: settings });
  try {
    const rule = await one.rule(mailRule());
    await one.run(await one.workflow(), { fail: "x" }, await one.person());
    await one.tick();
    expect(await one.deliveries(rule.id)).toMatchObject([{ status: "pending", attempts: 1, sentAt: null }]);
    expect(mail.mails).toEqual([]);
  } finally {
    await one.stop();
    await mail.stop();
  }
});
