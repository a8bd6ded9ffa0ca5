import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { expectWhole, overflow, resize, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

const pay = { label: "Pay it back", invoke: { src: "core.emit", input: { event: "shop.paid" }, onDone: "end" } };
const PAYS = { initial: "pay", states: { pay, end: { type: "final" } } };

describe("policies in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  async function post(path: string, data: object): Promise<number> {
    const headers = { origin: oven.url };
    return (await page.request.fetch(`${oven.url}/api/${path}`, { method: "POST", data, headers })).status();
  }

  it("is written as a sentence and tried on all workflows before it is saved", async () => {
    expect(await post("agent-workflows", { name: "Refunds", definition: PAYS })).toBe(201);
    await openSetting(page, "Policies");
    await page.getByText("No policies yet").waitFor();
    await shoot(page, "policies-empty");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "New policy" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Money needs a person");
    await expect.poll(() => dialog.getByRole("button", { name: "Try on all workflows" }).isDisabled()).toBe(true);
    await dialog.getByRole("combobox", { name: "By what it is named, 1" }).click();
    await page.getByRole("option", { name: "steps of these types" }).click();
    // By the keyboard alone: what is typed is taken with Enter.
    await dialog.getByRole("combobox", { name: "Names, 1" }).fill("core.emit");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await dialog.getByRole("combobox", { name: "Who must approve" }).click();
    await page.getByRole("option", { name: "a person with the role Reviewer" }).click();
    await dialog.getByRole("button", { name: "Try on all workflows" }).click();
    const result = dialog.getByRole("region", { name: "What the rule would refuse" });
    await result.getByText(/^1 of \d+ workflows would be refused\.$/).waitFor();
    const broken = result.getByRole("list", { name: "Workflows that break it" }).getByRole("listitem").first();
    await broken.getByRole("link", { name: "Refunds" }).waitFor();
    await broken.getByText("Pay it back:").waitFor();
    await broken.scrollIntoViewIfNeeded();
    await shoot(page, "policy-tried");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 844);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await shoot(page, "policy-tried-390");
    await resize(page, 1280, 800);
    // What was tried is said of that rule only.
    await dialog.getByRole("combobox", { name: "Who must approve" }).click();
    await page.getByRole("option", { name: "a person", exact: true }).click();
    await result.waitFor({ state: "detached" });
    expect(await post("agent-workflows", { name: "Refunds 2", definition: PAYS })).toBe(201);
    await dialog.getByRole("button", { name: "Save the policy" }).click();
    const list = page.getByRole("list", { name: "Policies" });
    await list.getByText("Before a run reaches a step of the type core.emit, a person must approve.").waitFor();
    expect(await post("agent-workflows", { name: "Refunds 3", definition: PAYS })).toBe(400);
  });

  it("is changed, switched off and deleted", async () => {
    const list = page.getByRole("list", { name: "Policies" });
    await page.getByRole("button", { name: "Edit Money needs a person" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "core.emit" }).waitFor();
    await dialog.getByRole("combobox", { name: "What the rule is about" }).click();
    await page.getByRole("option", { name: "Loops come to an end" }).click();
    await dialog.getByLabel("At most so many passes").fill("20");
    await dialog.getByRole("radio", { name: /^It warns/ }).check();
    await shoot(page, "policy-loops");
    await dialog.getByRole("button", { name: "Save the policy" }).click();
    await list.getByText("Every loop and every cycle ends by itself, a loop after at most 20 passes.").waitFor();
    await list.getByText("warns", { exact: true }).waitFor();
    expect(await post("agent-workflows", { name: "Refunds 4", definition: PAYS })).toBe(201);
    await list.getByRole("button", { name: "Switch off Money needs a person" }).click();
    await list.getByText("off", { exact: true }).waitFor();
    await list.getByRole("button", { name: "Delete Money needs a person" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No policies yet").waitFor();
  });

  it("is whole on a phone and in the dark", async () => {
    const rule = { kind: "untrusted-flow", role: "reviewer" };
    expect(await post("graph-policies", { name: "From outside", description: "After the audit.", rule })).toBe(201);
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [["graph-policies", "policies", "a person with the role Reviewer"]],
      looks: [
        { width: 390, dark: true },
        { width: 1280, dark: false },
      ],
    });
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [["graph-policies", "policies", "erst, wenn eine Person mit der Rolle Reviewer es freigegeben hat."]],
      looks: [{ width: 390, dark: false, language: "de" }],
    });
  });

  it("complained of nothing", () => {
    // The question who is signed in, before anybody was.
    expect(complaints.filter((line) => !/401 \(Unauthorized\)/.test(line))).toEqual([]);
  });
});
