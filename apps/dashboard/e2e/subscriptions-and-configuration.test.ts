import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { expectWhole, overflow, resize, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

const say = { invoke: { src: "core.emit", input: { event: "orders.paid", payload: { total: 42 } }, onDone: "done" } };
const SAYS = { initial: "say", states: { say, done: { type: "final" } } };

describe("event subscriptions and the configuration in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  let receiver: Server;
  let origin: string;
  /** What the receiver answers from now on, and what it got so far. */
  let status = 204;
  const received: IncomingHttpHeaders[] = [];
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      received.push(request.headers);
      request.resume().on("end", () => response.writeHead(status).end());
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`; // cast: it listens on a port
    oven = await startOven({ bootstrap: false, env: { OVEN_OUTBOUND_ALLOW: origin } });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    receiver?.close();
  });

  async function send(method: string, path: string, data?: object): Promise<{ id: number; value: unknown }> {
    const headers = { origin: oven.url };
    const response = await page.request.fetch(`${oven.url}/api/${path}`, { method, data, headers });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  }

  it("makes a subscription and says what the receiver answers to an example", async () => {
    await send("POST", "secrets", { name: "signing", value: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", hosts: [] });
    await openSetting(page, "Event subscriptions");
    await page.getByText("No subscriptions yet").waitFor();
    await shoot(page, "subscriptions-empty");
    await page.getByRole("button", { name: "New subscription" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Shop");
    await dialog.getByRole("textbox", { name: "Address that events are posted to" }).fill(`${origin}/hook`);
    await dialog.getByRole("combobox", { name: "Which events" }).fill("orders.*");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await dialog.getByRole("combobox", { name: "Secret that signs them" }).fill("signing");
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Add a header" }).click();
    await dialog.getByRole("textbox", { name: "Header 1" }).fill("X-Env");
    await dialog.getByRole("textbox", { name: "Value 1" }).fill("test");
    await shoot(page, "subscription-create");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 844);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await shoot(page, "subscription-create-390");
    await resize(page, 1280, 800);
    await dialog.getByRole("button", { name: "Save the subscription" }).click();
    await page.getByText("Nothing was posted yet").waitFor();
    await page.getByRole("button", { name: "Send an example" }).click();
    await page.getByText("The receiver took the example and answered 204.").waitFor();
    expect(received.at(-1)).toMatchObject({ "x-env": "test", "webhook-signature": expect.stringMatching(/^v1,/) });
  });

  it("shows what was given up, why, and sends it again", async () => {
    status = 410;
    const { id } = await send("POST", "workflows", { name: "Says", definition: SAYS });
    await send("POST", `workflows/${id}/execute?wait=20`, {});
    const list = page.getByRole("list", { name: "Deliveries" });
    const paid = list.getByRole("listitem").filter({ hasText: "orders.paid" });
    await paid.getByText("given up", { exact: true }).waitFor();
    await paid.getByText("The receiver answered 410").waitFor();
    const refused = received.at(-1)?.["webhook-id"];
    status = 204;
    await paid.getByRole("button", { name: /^Send again: delivery \d+$/ }).click();
    const again = paid.filter({ hasText: "repeats" });
    await again.getByText("taken", { exact: true }).waitFor();
    expect(received.at(-1)?.["webhook-id"]).toBe(refused);
    await again.getByRole("button", { name: /^Show delivery/ }).click();
    await again.getByText("42").waitFor();
    await shoot(page, "subscription-deliveries");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Given up", exact: true }).click();
    await expect.poll(() => paid.count()).toBe(1);
    await page.getByRole("button", { name: "Given up", exact: true }).click();
  });

  it("shows each setting with the value that holds, and where it comes from", async () => {
    await openSetting(page, "Configuration");
    await page.getByRole("searchbox", { name: "Search settings" }).fill("EXECUTION_TIMEOUT_MS");
    const settings = page.getByRole("list", { name: "Settings of module-workflows", exact: true });
    await settings.getByText("default", { exact: true }).waitFor();
    await settings.getByRole("button", { name: "EXECUTION_TIMEOUT_MS", exact: true }).click();
    const levels = settings.getByRole("list", { name: "Levels of EXECUTION_TIMEOUT_MS, strongest first" });
    await levels.getByRole("listitem").filter({ hasText: "default" }).getByText("holds").waitFor();
    const set = async (button: string, value: string): Promise<void> => {
      await settings.getByRole("button", { name: button, exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Value" }).fill(value);
      await dialog.getByRole("button", { name: "Save the value" }).click();
    };
    await set("Set EXECUTION_TIMEOUT_MS, installation", "120000");
    await levels.getByRole("listitem").filter({ hasText: "installation" }).getByText("holds").waitFor();
    await set("Set EXECUTION_TIMEOUT_MS, this tenant", "-5");
    await page.getByText("The value was not saved").waitFor();
    await shoot(page, "configuration-refused");
    await page.getByRole("dialog").getByRole("textbox", { name: "Value" }).fill("60000");
    await page.getByRole("dialog").getByRole("button", { name: "Save the value" }).click();
    await levels.getByRole("listitem").filter({ hasText: "this tenant" }).getByText("holds").waitFor();
    await settings.getByText("this tenant", { exact: true }).first().waitFor();
    await settings.getByRole("button", { name: "Set for a single one: EXECUTION_TIMEOUT_MS" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "For which one" }).fill("7");
    await page.getByRole("dialog").getByRole("textbox", { name: "Value" }).fill("5000");
    await page.getByRole("dialog").getByRole("button", { name: "Save the value" }).click();
    const singles = settings.getByRole("list", { name: "Values of EXECUTION_TIMEOUT_MS for single ones" });
    await singles.getByRole("listitem").filter({ hasText: "this tenant, for 7" }).getByText("holds").waitFor();
    await shoot(page, "configuration-levels");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 844);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await shoot(page, "configuration-levels-390");
    await resize(page, 1280, 800);
    const resolved = "module-configs/resolve?moduleName=module-workflows&key=EXECUTION_TIMEOUT_MS";
    expect(await send("GET", `${resolved}&scopeId=7`)).toEqual({ value: 5_000, source: "tenant-instance" });
    await settings.getByRole("button", { name: "Remove EXECUTION_TIMEOUT_MS, this tenant", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await levels.getByRole("listitem").filter({ hasText: "installation" }).getByText("holds").waitFor();
    expect(await send("GET", resolved)).toEqual({ value: 120_000, source: "platform-module" });
  });

  it("is whole on a phone and in the dark, in both languages", async () => {
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [
        ["event-subscriptions", "subscriptions", "Shop"],
        ["event-subscriptions/1/show", "subscription", "orders.paid"],
        ["module-configs", "configuration", "EXECUTION_TIMEOUT_MS"],
      ],
      looks: [
        { width: 390, dark: true },
        { width: 1280, dark: false },
      ],
    });
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [
        ["event-subscriptions/1/show", "subscription", "Beispiel senden"],
        [
          "module-configs",
          "configuration",
          "Sekunden, die mindestens zwischen zwei Auslösungen eines Zeitplans liegen",
        ],
      ],
      looks: [{ width: 390, dark: false, language: "de" }],
    });
  });

  it("switches a subscription off, and deletes it", async () => {
    await page.goto(`${oven.url}/event-subscriptions`);
    await page.getByRole("button", { name: "Switch off Shop" }).click();
    await page.getByText("disabled", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Shop" }).click();
    await page.getByRole("button", { name: "Delete Shop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No subscriptions yet").waitFor();
  });

  it("complained of nothing but what was refused on purpose", () => {
    // Also the question who is signed in, before anybody was.
    const refusedOnPurpose = /40[01] \((Bad Request|Unauthorized)\)|422 \(Unprocessable/;
    expect(complaints.filter((line) => !refusedOnPurpose.test(line))).toEqual([]);
  });
});
