import type { APIRequestContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { goWithin } from "./go-within.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, seriousIssues } from "./page-checks.ts";
import { byKeyboard, byTouch, type Reviewer, swipe } from "./reviewer.ts";
import { signUp } from "./sign-up.ts";

const asks = (input: object, src = "agent.humanReview") => ({
  initial: "ask",
  states: { ask: { invoke: { src, input, onDone: "done" } }, done: { type: "final" } },
});
const refund = {
  toolCallId: "c1",
  tool: "orders.refund",
  arguments: { orderId: 8841, amountCents: 500, reason: "late" },
};
const form = {
  type: "object",
  properties: { parcel: { type: "string" }, weight: { type: "number" } },
  required: ["parcel", "weight"],
};
const title = "$.trigger.title";
/** Five kinds of review, and a day's worth of each. */
const KINDS = [
  ["Refund", asks({ title, toolCall: refund, dueIn: "PT1H" })],
  ["Letter", asks({ title, show: { text: "Good day", whom: "$.trigger.title" } })],
  ["Parcel", asks({ title, schema: form }, "core.requestInput")],
  ["Ticket", asks({ title, show: "$.trigger.title", actions: ["close", "escalate", "reject"] })],
  [
    "Contract",
    asks({
      title,
      show: "$.trigger.title",
      approvals: 2,
      dueIn: "PT2H",
      onDeadline: { escalateTo: ["role:owner"], dueIn: "P1D" },
    }),
  ],
] as const;

describe("a reviewer's day", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  let bea: APIRequestContext;
  const slugs: string[] = [];

  beforeAll(async () => {
    oven = await startOven();
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
    for (const [name, definition] of KINDS) {
      const { status, body } = await oven.call("POST", "agent-workflows", { name, definition });
      expect(status, JSON.stringify(body)).toBe(201);
      slugs.push(body.slug);
    }
    const { body: invited } = await oven.call("POST", "invitations", { email: "bea@example.com", roles: ["reviewer"] });
    const context = await chromium.browser.newContext({ baseURL: oven.url, extraHTTPHeaders: { origin: oven.url } });
    bea = context.request;
    const token = new URL(invited.link).searchParams.get("token");
    const joined = await bea.post("/api/invitations/accept", {
      data: { token, name: "Bea", password: "a long password" },
    });
    expect(joined.ok(), await joined.text()).toBe(true);
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  /** Twenty runs that stop at a review. */
  async function newDay(day: string): Promise<void> {
    for (let number = 1; number <= 4; number += 1)
      for (const [index, [name]] of KINDS.entries()) {
        // The refunds show the same in every respect: they can be decided together.
        const input = { title: name === "Refund" ? `Refund ${day}` : `${name} ${day}${number}` };
        const started = await oven.call("POST", `agent-workflows/${slugs[index]}/execute?wait=20`, { input });
        expect(started.body.status, JSON.stringify(started.body)).toBe("paused");
      }
  }
  const find = async (filter: object) =>
    (await oven.call("GET", `reviews?range=[0,99]&filter=${encodeURIComponent(JSON.stringify(filter))}`)).body;
  const decided = async (day: string): Promise<Record<string, string | null>> => {
    const rows: { title: string; action: string | null }[] = await find({ q: ` ${day}` });
    return Object.fromEntries(rows.map((review) => [review.title, review.action]));
  };
  const heading = ({ page: at }: Reviewer) =>
    at.getByRole("heading", { name: /^(Refund|Letter|Parcel|Ticket|Contract) / }).first();

  /** Works through the twenty in the order in which they come. */
  async function work(hand: Reviewer, day: string): Promise<void> {
    const steps: Record<string, () => Promise<void>> = {
      [`Letter ${day}1`]: () => hand.edit("Text", "Good night"),
      [`Letter ${day}2`]: () => hand.reject("Not our tone"),
      [`Letter ${day}3`]: async () => {
        await hand.comment(`Looks right to me, ${day}`);
        await hand.approve();
        await hand.page.getByText(`Approved: Letter ${day}3`).waitFor();
        await hand.undo();
        await hand.page.getByRole("button", { name: /^Approve/ }).waitFor();
        await hand.approve();
      },
      [`Letter ${day}4`]: async () => {
        const [review] = await find({ q: `Letter ${day}4` });
        // Just before the approval arrives: earlier, the page may know of it before the button is pressed.
        await hand.page.route(`**/api/reviews/${review.id}/decide`, async (route) => {
          const data = { action: "reject", reason: "I was first", digest: review.digest };
          await bea.post(`/api/reviews/${review.id}/decide`, { data });
          await route.continue();
        });
        await hand.approve();
        await hand.page.getByText("already decided by Bea").waitFor();
      },
      [`Ticket ${day}3`]: async () => {
        await hand.delegate("bea@example.com");
        await hand.choose(2, "Escalate");
      },
      [`Ticket ${day}4`]: () => hand.reject("It is no ticket"),
    };
    const usual = {
      Refund: async () => {
        await hand.together();
        await hand.release();
      },
      Letter: () => hand.approve(),
      Parcel: () => hand.fill({ Parcel: `P-${day}`, Weight: "2.5" }),
      Ticket: () => hand.choose(1, "Close"),
      Contract: () => hand.approve(),
    };
    // Four refunds are equal and decided as one.
    for (let done = 0, before = ""; done < 17; done += 1) {
      await expect.poll(() => heading(hand).textContent()).not.toBe(before);
      before = (await heading(hand).textContent()) ?? "";
      const kind = before.split(" ")[0] as keyof typeof usual; // cast: the heading is one of these
      await (steps[before] ?? usual[kind])();
      if (done < 16) await hand.next();
    }
  }

  const expected = (day: string) => ({
    [`Refund ${day}`]: "approve",
    [`Letter ${day}1`]: "edit",
    [`Letter ${day}2`]: "reject",
    [`Letter ${day}3`]: "approve",
    [`Letter ${day}4`]: "reject",
    ...Object.fromEntries([1, 2, 3, 4].map((number) => [`Parcel ${day}${number}`, "submit"])),
    [`Ticket ${day}1`]: "close",
    [`Ticket ${day}2`]: "close",
    [`Ticket ${day}3`]: "escalate",
    [`Ticket ${day}4`]: "reject",
    // One of two has voted.
    ...Object.fromEntries([1, 2, 3, 4].map((number) => [`Contract ${day}${number}`, null])),
  });

  it("goes by keyboard alone: twenty reviews of five kinds", async () => {
    await newDay("K");
    await page.goto(`${oven.url}/reviews`);
    const hand = byKeyboard(page);
    await heading(hand).waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByText("It moves money and cannot be undone.").waitFor();
    await shoot(page, "reviewers-day-keyboard");
    await work(hand, "K");
    await expect.poll(() => decided("K")).toEqual(expected("K"));
    const refunds: { action: string | null }[] = await find({ q: "Refund K" });
    expect(refunds.map(({ action }) => action)).toEqual(["approve", "approve", "approve", "approve"]);
    const [parcel] = await find({ q: "Parcel K1" });
    expect(parcel.data).toEqual({ parcel: "P-K", weight: 2.5 });
    const votes = async () =>
      (await find({ q: "Contract K" })).map((review: { votes: object[] }) => review.votes.length);
    await expect.poll(votes).toEqual([1, 1, 1, 1]);
    // The second person ends what needs two.
    for (const { id, digest } of await find({ q: "Contract K" }))
      await bea.post(`/api/reviews/${id}/decide`, { data: { action: "approve", digest } });
    const signed = Object.fromEntries([1, 2, 3, 4].map((number) => [`Contract K${number}`, "approve"]));
    expect(await decided("K")).toMatchObject(signed);
  });

  it("shows the path of a run that a list showed before without its steps", async () => {
    const [{ id }] = await find({ q: "Contract K4" });
    await page.goto(oven.url);
    await page
      .getByRole("link", { name: /^Contract/ })
      .first()
      .waitFor();
    await goWithin(page, `reviews/${id}`);
    await page.getByRole("heading", { name: "Path so far" }).waitFor();
  });

  it("shows where each button leads, with what is sent, and afterwards that it came true", async () => {
    const definition = {
      initial: "ask",
      states: {
        ask: {
          invoke: {
            src: "agent.humanReview",
            input: { title, show: "$.trigger.sum" },
            onDone: "offer",
            onError: "declined",
          },
        },
        offer: {
          label: "Send the offer",
          invoke: {
            src: "core.emit",
            input: { event: "offer.sent", payload: { sum: "$.trigger.sum" } },
            onDone: "sent",
          },
        },
        sent: { type: "final", outcome: "sent" },
        declined: { type: "final", outcome: "declined" },
      },
    };
    const { body: made } = await oven.call("POST", "agent-workflows", { name: "Offer", definition });
    const input = { title: "Offer L1", sum: 4200 };
    await oven.call("POST", `agent-workflows/${made.slug}/execute?wait=20`, { input });
    const [{ id }] = await find({ q: "Offer L1" });
    await goWithin(page, `reviews/${id}`);
    const part = page.getByRole("heading", { name: "What follows" }).locator("..");
    const call = part.getByText("“Send the offer” calls Emit event");
    await call.click();
    await part.getByText("4200").waitFor();
    await part.getByText("The run ends: sent", { exact: true }).waitFor();
    await part.getByText("The run ends: declined").waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await shoot(page, "review-consequences");
    await page.getByRole("button", { name: /^Approve/ }).click();
    const after = page.getByRole("heading", { name: "What followed" }).locator("..");
    await after.getByText("came true").nth(1).waitFor({ timeout: 30_000 });
    await after.getByText("The run ends: sent").waitFor();
    await shoot(page, "review-came-true");
  });

  it("goes by thumb alone, on a phone", async () => {
    await newDay("P");
    const context = await chromium.browser.newContext({
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      isMobile: true,
      colorScheme: "dark",
      reducedMotion: "reduce",
    });
    await context.addCookies(await page.context().cookies());
    const phone = await context.newPage();
    phone.setDefaultTimeout(60_000);
    phone.on("pageerror", (error) => complaints.push(error.message));
    await phone.goto(`${oven.url}/reviews`);
    const hand = byTouch(phone);
    await phone.getByRole("link", { name: /Contract P1/ }).tap();
    await expect.poll(() => heading(hand).textContent()).toBe("Contract P1");
    await expect.poll(() => seriousIssues(phone)).toEqual([]);
    await shoot(phone, "reviewers-day-phone");
    const finger = await context.newCDPSession(phone);
    await swipe(finger, -180);
    await expect.poll(() => heading(hand).textContent()).not.toBe("Contract P1");
    await swipe(finger, 180);
    await expect.poll(() => heading(hand).textContent()).toBe("Contract P1");
    await work(hand, "P");
    expect(await overflow(phone)).toBe(0);
    await expect.poll(() => decided("P")).toEqual(expected("P"));
    await context.close();
  });

  it("narrows the inbox down and keeps that under a name", async () => {
    await page.goto(`${oven.url}/reviews`);
    await page.getByRole("link", { name: /Contract P1/ }).waitFor();
    await page.getByRole("button", { name: "Due in a day" }).click();
    await page.waitForURL(/due=day/);
    await page.getByRole("link", { name: /Contract P1/ }).waitFor();
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByLabel("Name of the view").fill("Today");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Overdue" }).click();
    await page.getByText("No reviews match").or(page.getByText("The list is empty")).first().waitFor();
    await page.getByRole("group", { name: "Saved views" }).getByRole("button", { name: "Today" }).click();
    await page.getByRole("link", { name: /Contract P1/ }).waitFor();
  });

  it("opens the form that a button in a mail asks for, and decides nothing by that", async () => {
    const input = { title: "Letter of a mail" };
    await oven.call("POST", `agent-workflows/${slugs[1]}/execute?wait=20`, { input });
    const [{ id }] = await find({ q: "Letter of a mail" });
    await page.goto(`${oven.url}/reviews/${id}?action=reject`);
    await page.getByLabel("Reason").and(page.locator(":focus")).waitFor();
    expect(await find({ id })).toMatchObject([{ status: "open", votes: [] }]);
  });

  it("left no error in the browser's console", () => {
    expect(complaints.filter((complaint) => !/status of (401|409)/.test(complaint))).toEqual([]);
  });
});
