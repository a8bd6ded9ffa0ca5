import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { type ImapServer, IMAP_PASSWORD as PASSWORD, startImapServer, IMAP_USER as USER } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { startTriggers, type TestClock, type TestTriggers } from "../triggers/testing/start-triggers.ts";
import { startSilentServer } from "./testing/start-silent-server.ts";

const mail = (subject: string, more = "") => `From: Ada <ada@example.com>
To: support@example.com
Subject: ${subject}
Message-ID: <${subject}@example.com>
Date: Sun, 01 Nov 2026 11:00:00 +0000
${more}
Where is my order?
`;

describe.each(testDatabases(inject("postgresUrl")))("e-mail triggers on $name", ({ open }) => {
  const clock: TestClock = { now: new Date("2026-11-01T12:00:00Z") };
  let database: TestDatabase;
  let server: ImapServer;
  let triggers: TestTriggers;
  let workflowId: number;
  let made: number | undefined;
  beforeAll(async () => {
    database = await open();
    server = await startImapServer();
    const outboundAllow = [`http://127.0.0.1:${server.port}`];
    triggers = await startTriggers(clock, database.db, { outboundAllow });
    workflowId = await triggers.workflow("Mail");
    const hosts = [`127.0.0.1:${server.port}`];
    await triggers.oven.call("POST", "secrets", { name: "mailbox", value: PASSWORD, hosts });
    await triggers.oven.call("POST", "secrets", { name: "wrong", value: "another-password", hosts });
    await triggers.oven.call("POST", "secrets", {
      name: "elsewhere",
      value: PASSWORD,
      hosts: ["imap.example.com:993"],
    });
  });
  afterAll(async () => {
    await triggers.stop();
    await server.close();
    await database.close();
  });
  beforeEach(async () => {
    if (made !== undefined) await triggers.oven.call("DELETE", `triggers/${made}`);
  });

  const make = async (config: object = {}) => {
    const { id } = await triggers.make({
      type: "email",
      name: "Support mail",
      target: { kind: "workflow", workflowId },
      config: { host: "127.0.0.1", port: server.port, encryption: "none", user: USER, password: "mailbox", ...config },
    });
    made = id;
    await triggers.tick();
    return id;
  };
  const pass = async (seconds = 60) => {
    clock.now = new Date(clock.now.getTime() + seconds * 1_000);
    await triggers.tick();
  };
  const subjects = async (id: number) =>
    (await triggers.deliveries(id)).map(({ payload }) => (payload as { subject: string }).subject); // cast: of a mail
  const lastError = async (id: number) => (await triggers.oven.call("GET", `triggers/${id}`)).body.lastError;
  const flagsOf = (mailbox?: string) => server.list(mailbox).map(({ flags }) => flags.includes("\\Seen"));

  it("start a run for each new mail, once, and mark what was taken", async () => {
    server.deliver(mail("old"));
    const id = await make();
    expect(await subjects(id)).toEqual([]);
    server.deliver(mail("first"));
    server.deliver(mail("second"));
    await pass(30);
    expect(await subjects(id)).toEqual([]);
    await pass(30);
    await pass();
    expect(await subjects(id)).toEqual(["first", "second"]);
    expect(flagsOf()).toEqual([false, true, true]);
    const [delivery] = await triggers.deliveries(id);
    expect(delivery).toMatchObject({ decision: "started", key: expect.stringMatching(/^imap:\d+:2$/) });
    await expect
      .poll(async () => (await triggers.oven.call("GET", `workflow-executions/${delivery?.executionId}`)).body.status)
      .toBe("completed");
    const run = (await triggers.oven.call("GET", `workflow-executions/${delivery?.executionId}`)).body;
    expect(run).toMatchObject({
      triggerEvent: "email",
      output: {
        from: [{ address: "ada@example.com", name: "Ada" }],
        to: [{ address: "support@example.com" }],
        subject: "first",
        text: expect.stringContaining("Where is my order?"),
        messageId: "<first@example.com>",
        date: "2026-11-01T11:00:00.000Z",
        attachments: [],
      },
    });
  });

  it("take what lies there when the author says so, and move it", async () => {
    server.deliver(mail("lies there"));
    const id = await make({ existing: "take", after: "move", moveTo: "Done" });
    expect((await subjects(id)).at(-1)).toBe("lies there");
    expect(server.list().every(({ flags }) => flags.includes("\\Seen"))).toBe(true);
    expect(server.list("Done").length).toBeGreaterThan(0);
    await pass();
    expect(new Set(await subjects(id)).size).toBe((await subjects(id)).length);
  });

  it("leave alone what somebody has read, unless they take everything", async () => {
    const unseen = await make();
    server.deliver(mail("read already"));
    server.list();
    const all = await triggers.make({
      type: "email",
      name: "All",
      target: { kind: "workflow", workflowId },
      config: {
        host: "127.0.0.1",
        port: server.port,
        encryption: "none",
        user: USER,
        password: "mailbox",
        onlyUnseen: false,
        after: "leave",
        existing: "take",
      },
    });
    await pass();
    expect(await subjects(unseen)).toEqual(["read already"]);
    expect((await subjects(all.id)).length).toBe(server.list().length);
    await pass();
    expect((await subjects(all.id)).length).toBe(server.list().length);
    await triggers.oven.call("DELETE", `triggers/${all.id}`);
  });

  it("go on after the server gave its mails other numbers, and take none twice", async () => {
    const id = await make();
    server.deliver(mail("before"));
    await pass();
    server.renumber();
    server.deliver(mail("after"));
    await pass();
    await pass();
    expect(await subjects(id)).toEqual(["before", "after"]);
  });

  it("a crash after a mail was written down and before it was marked: it is marked, and starts nothing again", async () => {
    const id = await make();
    server.deliver(mail("crash"));
    const state = await triggers.db.query<{ state: object }>("select state from triggers where id = $1", [id]);
    await pass();
    const uid = server.list().at(-1)?.uid;
    // As it was before the look, but for what was written down.
    await triggers.db.query("update triggers set state = $2 where id = $1", [id, JSON.stringify(state[0]?.state)]);
    server.unsee(uid);
    await pass();
    expect(await subjects(id)).toEqual(["crash"]);
    expect(flagsOf().at(-1)).toBe(true);
  });

  it("say why they cannot look, without the password, and go on when they can", async () => {
    const id = await make({ password: "wrong" });
    expect(await lastError(id)).toContain("refuses the user or the password");
    await triggers.oven.call("PUT", `triggers/${id}`, { name: "Renamed" });
    expect(await lastError(id)).not.toContain("another-password");
    const elsewhere = await make({ password: "elsewhere" });
    expect(await lastError(elsewhere)).toContain("is not sent to 127.0.0.1");
    const inside = await make({ host: "10.0.0.1", port: 993, encryption: "tls" });
    expect(await lastError(inside)).toContain("is not on the public internet");
    const plain = await make({ host: "192.0.2.1", port: 143 });
    expect(await lastError(plain)).toContain("without encryption");
    const good = await make();
    expect(await lastError(good)).toBeNull();
    for (const gone of [id, elsewhere, inside, plain]) await triggers.oven.call("DELETE", `triggers/${gone}`);
  });

  it("a mail server that does not answer holds up no other trigger", async () => {
    const silent = await startSilentServer();
    const other = await startTriggers(clock, undefined, { outboundAllow: [`http://127.0.0.1:${silent.port}`] });
    const id = await other.workflow("Meanwhile");
    await other.oven.call("POST", "secrets", { name: "mailbox", value: PASSWORD, hosts: [`127.0.0.1:${silent.port}`] });
    const config = { host: "127.0.0.1", port: silent.port, encryption: "none", user: USER, password: "mailbox" };
    await other.make({ type: "email", name: "Silent", target: { kind: "workflow", workflowId: id }, config });
    const hourly = await other.make({
      type: "schedule",
      name: "Hourly",
      target: { kind: "workflow", workflowId: id },
      config: { cron: "0 * * * *" },
    });
    clock.now = new Date(clock.now.getTime() + 3_600_000);
    const ticking = other.tick();
    await silent.met;
    await expect
      .poll(async () => (await other.oven.call("GET", `triggers/${hourly.id}`)).body.dueAt)
      .not.toBe(hourly.dueAt);
    silent.close();
    await ticking;
    await other.stop();
  });

  it.each([
    ["nowhere to move to", { after: "move" }],
    ["somewhere to move to, and no moving", { moveTo: "Done" }],
    ["no host", { host: "http://x/" }],
  ])("refuse %s", async (_what, more) => {
    const config = { host: "imap.example.com", user: USER, password: "mailbox", ...more };
    const body = { type: "email", name: "bad", target: { kind: "workflow", workflowId }, config };
    expect((await triggers.oven.call("POST", "triggers", body)).status).toBe(400);
  });

  it("keep what is attached, and what stands inside the text, byte for byte, for the run to read", async () => {
    const id = await make({ maxAttachmentBytes: 20_000 });
    const picture = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256));
    const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/.{76}/g, "$&\n");
    server.deliver(`From: Ada <ada@example.com>
To: support@example.com
Subject: Pictures
Message-ID: <pictures@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: multipart/related; boundary=inner

--inner
Content-Type: text/html; charset=utf-8

<p>See <img src="cid:logo@example.com"></p>
--inner
Content-Type: image/png; name=logo.png
Content-ID: <logo@example.com>
Content-Disposition: inline; filename=logo.png
Content-Transfer-Encoding: base64

${base64(picture)}
--inner--
--outer
Content-Type: text/csv; name=orders.csv
Content-Disposition: attachment; filename=orders.csv

order,amount
8841,240
--outer
Content-Type: application/zip; name=large.zip
Content-Disposition: attachment; filename=large.zip
Content-Transfer-Encoding: base64

${base64(Buffer.alloc(30_000, 7))}
--outer--
`);
    await pass();
    const [delivery] = await triggers.deliveries(id);
    const { attachments, html } = (delivery?.payload ?? {}) as {
      html: string;
      attachments: { blob: { $blob: number } }[];
    }; // cast: of a mail
    expect(html).toContain('src="cid:logo@example.com"');
    expect(attachments).toMatchObject([
      {
        filename: "logo.png",
        contentType: "image/png",
        sizeBytes: 5_000,
        cid: "logo@example.com",
        inline: true,
        blob: { mediaType: "image/png", bytes: 5_000 },
      },
      { filename: "orders.csv", cid: null, inline: false, blob: { mediaType: "text/csv" } },
      { filename: "large.zip", sizeBytes: 30_000, skipped: "It is larger than 20000 bytes" },
    ]);
    const [logo, orders, large] = attachments;
    const content = async (blob: number) =>
      Buffer.from(await (await triggers.oven.fetch(`blobs/${blob}`, {})).arrayBuffer());
    expect(picture.equals(await content(logo?.blob.$blob ?? 0))).toBe(true);
    expect((await content(orders?.blob.$blob ?? 0)).toString().replaceAll("\r", "")).toMatch(/^order,amount\n8841,240/);
    expect(large).not.toHaveProperty("blob");
    const { body: run } = await triggers.oven.call("GET", `workflow-executions/${delivery?.executionId}`);
    expect(run.input.attachments).toEqual(attachments);
    // A second look at the same mail, as after a crash, keeps nothing twice.
    const count = async () => (await triggers.db.query("select id from run_blobs")).length;
    const before = await count();
    await triggers.db.query("update triggers set state = jsonb_set(state, '{lastUid}', '0') where id = $1", [id]);
    server.unsee(server.list().at(-1)?.uid);
    await pass();
    expect(await count()).toBe(before);
    expect(await triggers.deliveries(id)).toHaveLength(1);
  });
});
