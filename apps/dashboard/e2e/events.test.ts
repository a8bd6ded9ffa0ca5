import { connectDatabase, type Database } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";

const LISTENER = "module-notifications:workflows.execution.failed";
const failing = {
  initial: "print",
  states: { print: { invoke: { src: "core.fail", input: { message: "There is no paper" } } } },
};

describe("a listener that fails, in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let db: Database;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await createTestPostgres(inject("postgresUrl"));
    drop = database.drop;
    oven = await startOven({ bootstrap: false, env: { DATABASE_URL: database.url } });
    db = await connectDatabase({ url: database.url, dataDir: "unused" });
    chromium = await openBrowser();
    ({ page } = await chromium.newPage());
    await page.goto(oven.setupUrl ?? "");
    await page.getByLabel("Name").fill("Olga Owner");
    await page.getByLabel("E-mail").fill("olga@example.com");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGTERM");
    await db?.close();
    await drop?.();
  });

  async function post(path: string, body: object): Promise<{ id: number }> {
    const headers = { origin: oven.url };
    const response = await page.request.fetch(`${oven.url}/api/${path}`, { method: "POST", data: body, headers });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  }
  const attempts = async () =>
    (
      await db.query<{ attempts: number; failed_at: Date | null }>(
        "select attempts, failed_at from outbox_deliveries where listener = $1",
        [LISTENER],
      )
    )[0];

  it("is shown with its error and attempts once it was given up, and has the event delivered again at one click", async () => {
    // What it reads is away.
    await db.query("alter table notification_rules rename to notification_rules_away");
    const { id } = await post("workflows", { name: "Prints", definition: failing });
    await post(`workflows/${id}/execute?wait=20`, { input: {} });
    await expect.poll(async () => (await attempts())?.attempts ?? 0).toBeGreaterThan(0);
    // Its last attempt, now instead of in a few minutes.
    await db.query("update outbox_deliveries set attempts = 7, next_attempt_at = now() where listener = $1", [
      LISTENER,
    ]);
    await expect.poll(async () => (await attempts())?.failed_at ?? null).not.toBeNull();

    await openSetting(page, "Events");
    await page.getByRole("button", { name: "A listener failed" }).click();
    const list = page.getByRole("list", { name: "Events" });
    await expect.poll(() => list.getByRole("button", { name: /^Show event/ }).count()).toBe(1);
    await list.getByText("workflows.execution.failed").first().waitFor();
    await list.getByRole("button", { name: /^Show event/ }).click();
    const listeners = page.getByRole("list", { name: /^Listeners of event/ });
    const broken = listeners.getByRole("listitem").filter({ hasText: LISTENER });
    await broken.getByText("failed", { exact: true }).waitFor();
    await broken.getByText(/after 8 attempts: .+/).waitFor();
    await shoot(page, "event-failed-listener");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 844);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await resize(page, 1280, 800);

    await db.query("alter table notification_rules_away rename to notification_rules");
    await broken.getByRole("button", { name: "Deliver again" }).click();
    // It failed no more, so the filter leaves it out.
    await list.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "A listener failed" }).click();
    await page.getByLabel("Search event names").fill("workflows.execution.failed");
    await list
      .getByRole("button", { name: /^Show event/ })
      .first()
      .click();
    await broken.getByText("delivered", { exact: true }).waitFor();
    await shoot(page, "event-delivered-again");
    // And it did its work: whoever started the run is told.
    await page.getByRole("button", { name: "Notifications, 1 not read" }).waitFor();
  });
});
