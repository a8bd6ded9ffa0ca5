import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

const ECHO = {
  initial: "say",
  states: {
    say: { invoke: { src: "core.transform", input: { mapping: { reply: "$.question" } }, onDone: "done" } },
    done: { type: "final", output: "$.say_output" },
  },
};

describe("the receipt of a run in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let run: number;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "oven-receipt-"));
    oven = await startOven({ bootstrap: false, env: { OVEN_DEMO: "0" } });
    chromium = await openBrowser();
    ({ page } = await chromium.newPage());
    await signUp(page, oven);
    const workflow = await send("POST", "workflows", { name: "Echo", definition: ECHO });
    const policy = { name: "No SQL", rule: { kind: "forbidden-nodes", nodeTypes: ["core.sql"] } };
    await send("POST", "graph-policies", policy);
    run = (await send("POST", `workflows/${workflow.id}/execute?wait=20`, { input: { question: "Hello" } })).id;
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });

  async function send(method: string, path: string, data: object): Promise<{ id: number }> {
    const headers = { origin: oven.url };
    const response = await page.request.fetch(`${oven.url}/api/${path}`, { method, data, headers });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  }

  async function download(name: RegExp): Promise<string> {
    await page.getByRole("button", { name: "Receipt" }).click();
    const begun = page.waitForEvent("download");
    await page.getByRole("menuitem", { name }).click();
    const file = await begun;
    const path = join(folder, file.suggestedFilename());
    await file.saveAs(path);
    return path;
  }

  it("is signed by a key that its page shows, once there is one, and replaces by another", async () => {
    await page.goto(`${oven.url}/receipt-keys`);
    await page.getByText("The first receipt makes the first key").waitFor();
    expect(await page.getByRole("button", { name: "Rotate key" }).count()).toBe(0);
    await page.request.get(`${oven.url}/api/workflow-executions/${run}/receipt`);
    await page.reload();
    const keys = page.getByRole("list", { name: "Public keys" }).getByRole("listitem");
    await keys.first().waitFor();
    expect(await keys.count()).toBe(1);
    await page.getByRole("button", { name: "Rotate key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("What was signed before stays valid").waitFor();
    await dialog.getByRole("button", { name: "Rotate key" }).click();
    await expect.poll(() => keys.count()).toBe(2);
    expect(await keys.first().textContent()).toContain("Signs now");
    expect(await keys.last().textContent()).toContain("Verifies only");
    await page.getByText(`${oven.url}/.well-known/oven-receipts.json`).waitFor();
    await shoot(page, "receipt-keys");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 844);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await resize(page, 1280, 800);
  });

  it("is downloaded with its log, and verified on the command line", async () => {
    await page.goto(`${oven.url}/workflow-executions/${run}/show`);
    const [receipt, log] = [await download(/^Download receipt/), await download(/^Download its log/)];
    const program = join(import.meta.dirname, "../../cli/src/oven.ts");
    const args = [program, "verify", receipt, "--log", log, "--keys", oven.url];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(`Receipt of run ${run} (workflow echo, version 1): completed`);
    expect(stdout).toContain('✓ policy "No SQL": no step of the types core.sql');
  });

  it("is offered in a menu that everyone can use, also where the page is narrow", async () => {
    await page.getByRole("button", { name: "Receipt" }).click();
    await page.getByRole("menuitem", { name: /^Download receipt/ }).waitFor();
    await shoot(page, "run-receipt");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await resize(page, 390, 844);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await resize(page, 1280, 800);
  });

  it("speaks German", async () => {
    await page.evaluate(`localStorage.setItem("oven.language", "de")`);
    await page.reload();
    await page.getByRole("button", { name: "Beleg" }).click();
    await page.getByRole("menuitem", { name: /^Beleg herunterladen/ }).waitFor();
    await shoot(page, "run-receipt-de");
  });
});
