import { type ModelServer, makePdf, SCANNER_PICTURES, startModelServer } from "@oven/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

const HANDBOOK =
  "# Handbook\n\n## Returns\n\nA customer may return goods within 30 days.\n\n## Pets\n\nThe office cat sleeps.\n";
const KEY = "sk-a-key-that-nobody-sees";

describe("tools, vector stores and models in the browser", () => {
  let models: ModelServer;
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    models = await startModelServer(() => ({ text: "Hello." }), { models: ["house-model"] });
    oven = await startOven({ bootstrap: false, env: { OVEN_OUTBOUND_ALLOW: new URL(models.url).origin } });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
    // Nobody was signed in before.
    complaints.length = 0;
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    await models?.close();
  });

  it("finds a tool, says what it needs and who uses it, and calls it by hand", async () => {
    await openSetting(page, "Tools");
    await page.getByRole("searchbox", { name: "Search tools" }).fill("calculate");
    await page.getByRole("link", { name: "Calculate", exact: false }).first().waitFor();
    await expect.poll(() => page.getByRole("list", { name: "Tools" }).getByRole("listitem").count()).toBeLessThan(5);
    await shoot(page, "tools-search");
    await page.goto(`${oven.url}/tools/math.calculate`);
    await page.getByText("is yours").waitFor();
    await page.getByRole("region", { name: /^Try / }).getByLabel("Expression").fill("6 * 7");
    await page.getByRole("button", { name: "Call it" }).click();
    await page.getByRole("status").getByText("42").first().waitFor();
    await shoot(page, "tool-tried");
    await expect.poll(() => seriousIssues(page)).toEqual([]);

    await page.goto(`${oven.url}/tools/orders.refund`);
    await page.getByText("A person must approve each call").waitFor();
    expect(await page.getByRole("button", { name: "Call it" }).count()).toBe(0);
    await page
      .getByRole("link", { name: "Refund desk" })
      .or(page.getByRole("list", { name: "Used by" }))
      .first()
      .waitFor();
    await shoot(page, "tool-refund");
  });

  it("makes a vector store, takes files, text and what fails in, and finds the passage", async () => {
    await page.getByRole("link", { name: "Knowledge" }).click();
    await page.getByText("There is nothing to look things up in").waitFor();
    await page.getByRole("button", { name: "New vector store" }).first().click();
    await page.getByLabel("Name").fill("Handbook");
    await shoot(page, "vector-store-create");
    await page.getByRole("button", { name: "Make it" }).click();
    await page.getByText("The store is empty").waitFor();
    await page
      .getByLabel("Files to add")
      .setInputFiles({ name: "handbook.md", mimeType: "text/markdown", buffer: Buffer.from(HANDBOOK) });
    const dataTransfer = await page.evaluateHandle(`(() => {
      const files = new DataTransfer();
      files.items.add(new File(["no pdf at all"], "broken.pdf", { type: "application/pdf" }));
      files.items.add(new File(["x"], "photo.png", { type: "image/png" }));
      return files;
    })()`);
    const place = page.getByRole("region", { name: "Add documents" });
    await place.dispatchEvent("dragover", { dataTransfer });
    await place.dispatchEvent("drop", { dataTransfer });
    await page.getByText("photo.png was not added").waitFor();
    await page.getByRole("button", { name: "Leave it out: photo.png" }).click();
    await page.getByRole("button", { name: "Try again: broken.pdf" }).waitFor();
    await page.getByText("Check that the file opens elsewhere").waitFor();
    await page.getByText("2 passages").first().waitFor();
    await shoot(page, "vector-store-documents");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Paste text" }).click();
    await page.getByLabel("Title").fill("Opening hours");
    await page.getByRole("textbox", { name: "Text" }).fill("The shop opens at nine.");
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByRole("link", { name: "Opening hours" }).waitFor();
    await page.getByRole("button", { name: "Delete broken.pdf" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("tab", { name: "Documents (2)" }).waitFor();

    await page.getByRole("tab", { name: "Try a search" }).click();
    await page.getByLabel("What to look for").fill("Until when can goods be returned?");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    const first = page.getByRole("article", { name: "Passage 1" });
    await first.getByText("within 30 days").waitFor();
    await expect.poll(() => first.locator("mark").allTextContents()).toContain("goods");
    await shoot(page, "vector-store-search");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    // The address is the search.
    expect(new URL(page.url()).searchParams.get("query")).toBe("Until when can goods be returned?");
    await page.getByRole("button", { name: "Ask a model" }).click();
    await page.getByRole("region", { name: "The model's answer" }).waitFor();
    await shoot(page, "vector-store-ask");
    await first.getByRole("link").click();
    await page.getByRole("list", { name: "Passages" }).getByText("The office cat sleeps.").waitFor();
    await shoot(page, "vector-document");
  });

  it("warns of what a document lacks: pages without text, and bytes that are no characters", async () => {
    await page.getByRole("link", { name: "Knowledge" }).click();
    await page.getByRole("link", { name: "Handbook" }).first().click();
    await page.getByRole("tab", { name: /^Documents/ }).click();
    const scan = makePdf(["A ship", { picture: true }, "", { picture: true }]);
    const letter = Buffer.from('<meta charset="utf-8"><p>Gr\xfc\xdfe</p>', "latin1");
    await page.getByLabel("Files to add").setInputFiles([
      { name: "scan.pdf", mimeType: "application/pdf", buffer: Buffer.from(scan) },
      { name: "letter.html", mimeType: "text/html", buffer: letter },
    ]);
    await page.getByText("2 of 4 pages have no text").waitFor();
    await page.getByText("utf-8").first().waitFor();
    await shoot(page, "vector-store-warnings");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    for (const name of ["scan.pdf", "letter.html"]) {
      await page.getByRole("button", { name: `Delete ${name}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("link", { name }).waitFor({ state: "detached" });
    }
  });

  it("recognizes the text of a scan, at a button and with the upload", async () => {
    await page.getByRole("link", { name: "Knowledge" }).first().click();
    await page.getByRole("link", { name: "Handbook" }).first().click();
    await page.getByRole("tab", { name: /^Documents/ }).click();
    const scan = Buffer.from(makePdf(["A ship", ...SCANNER_PICTURES.slice(0, 1), { picture: true }]));
    const file = (name: string) => ({ name, mimeType: "application/pdf", buffer: scan });
    await page.getByLabel("Files to add").setInputFiles([file("later.pdf")]);
    await page.getByRole("button", { name: "Recognize text on 2 pages: later.pdf" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("checkbox", { name: "German" }).check();
    await shoot(page, "recognize-dialog");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Recognize it" }).click();
    await page.getByText("1 page was read by text recognition (English, German): 2.").waitFor();
    await page.getByText("1 of 3 pages has no text: 3.").waitFor();

    await page.getByRole("checkbox", { name: "Recognize text on scanned pages" }).check();
    await page.getByLabel("Files to add").setInputFiles([file("at-once.pdf")]);
    await page.getByText("1 page was read by text recognition (English): 2.").waitFor();
    await shoot(page, "vector-store-recognized");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("link", { name: "later.pdf" }).click();
    await page.getByRole("list", { name: "Passages" }).getByText("The whale sings.").waitFor();
    await page.getByText("1 page was read by text recognition").waitFor();
    await shoot(page, "recognized-document");
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot(page, "recognized-document-narrow");
    await page.goBack();
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const name of ["later.pdf", "at-once.pdf"]) {
      await page.getByRole("button", { name: `Delete ${name}` }).click();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("link", { name }).waitFor({ state: "detached" });
    }
  });

  it("sets up a provider with a key that is never shown again, and says what is wrong with another", async () => {
    await page.goto(`${oven.url}/ai?tab=providers`);
    await page.getByRole("button", { name: "Add a provider" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: "OpenAI-compatible" }).click();
    await dialog.getByLabel("Id").fill("house");
    await dialog.getByLabel("Title").fill("House models");
    await dialog.getByLabel("Address").fill(models.url);
    await dialog.getByLabel("Key", { exact: true }).fill(KEY);
    await shoot(page, "ai-provider-create");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Add it" }).click();
    await page.getByText("key: secret house-key").waitFor();
    await page.getByRole("button", { name: "Test House models" }).click();
    await page.getByText("and has 1 model").waitFor();
    await page.getByRole("button", { name: "Edit the provider “House models”" }).click();
    await expect.poll(() => dialog.getByLabel("Key", { exact: true }).inputValue()).toBe("");
    expect(await page.content()).not.toContain(KEY);
    await dialog.getByLabel("Address").fill("http://127.0.0.1:9/v1");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("http://127.0.0.1:9/v1").waitFor();
    await page.getByRole("button", { name: "Test House models" }).click();
    await page.getByText("refers to a secret, which http: would show").waitFor();
    await shoot(page, "ai-provider-failing");
    await page.getByRole("button", { name: "Edit the provider “House models”" }).click();
    await dialog.getByLabel("Address").fill(models.url);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText(models.url, { exact: true }).waitFor();
  });

  it("names a model by an alias with a fall-back, and asks it", async () => {
    await page.goto(`${oven.url}/ai?tab=aliases`);
    await page.getByRole("button", { name: "New alias" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("clerk");
    await dialog.getByRole("combobox", { name: "Model", exact: true }).fill("house:house-model");
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Add a fall-back" }).click();
    await dialog.getByRole("combobox", { name: "If that one is down, model 2" }).fill("auto");
    await page.keyboard.press("Tab");
    await shoot(page, "ai-alias-create");
    await dialog.getByRole("button", { name: "Make it" }).click();
    await page.getByText("house:house-model → auto").waitFor();
    await page.getByRole("button", { name: "Test image" }).click();
    await page.getByText(/simulated:image answered in .*: an image of/).waitFor();
    await page.getByRole("button", { name: "Test clerk" }).click();
    await page.getByText(/house:house-model answered in .*: Hello\./).waitFor();
    expect(models.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    await page.getByRole("button", { name: "Used by: fast" }).click();
    await page
      .getByRole("list", { name: "Used by" })
      .or(page.getByText("No agent and no published workflow names it"))
      .first()
      .waitFor();
    await shoot(page, "ai-aliases");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("sets a price of one's own over a list price", async () => {
    await page.goto(`${oven.url}/ai?tab=prices`);
    await page.getByRole("searchbox", { name: "Search prices" }).fill("gpt-4.1-mini");
    await page.getByText("$0.40 in, $0.10 cached, $1.60 out a million tokens").waitFor();
    await page.getByRole("button", { name: "Set another: the price of openai:gpt-4.1-mini" }).click();
    await page.getByRole("dialog").getByLabel("Input, a million tokens, $", { exact: true }).fill("0.3");
    await page.getByRole("dialog").getByRole("button", { name: "Set it" }).click();
    await page.getByText("$0.30 in, $0.10 cached, $1.60 out a million tokens").waitFor();
    await page.getByText("your own").waitFor();
    await shoot(page, "ai-prices");
  });

  it("tries a guardrail before it is saved, and all of them after", async () => {
    await page.goto(`${oven.url}/ai?tab=guardrails`);
    await page.getByRole("button", { name: "New guardrail" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Card numbers");
    await dialog.getByRole("combobox", { name: "Looks for" }).click();
    await page.getByRole("option", { name: "A pattern (RE2)" }).click();
    await dialog.getByRole("textbox", { name: "Pattern" }).fill("\\d{16}");
    await dialog.getByRole("combobox", { name: "What is done about it" }).click();
    await page.getByRole("option", { name: "Mask it as [redacted]" }).click();
    await dialog.getByLabel("A text to try").fill("Card 4111111111111111, please");
    await dialog.getByRole("button", { name: "Try it" }).click();
    await dialog.getByText("Card [redacted], please").waitFor();
    await shoot(page, "ai-guardrail-try");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Make it" }).click();
    await page.getByRole("list", { name: "guardrails" }).getByText("Card numbers").waitFor();
    await page.getByLabel("A text to try").fill("Nothing of the kind");
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("It goes through as it is.").waitFor();
  });

  it("limits how fast a provider is asked", async () => {
    await page.goto(`${oven.url}/ai`);
    await page.getByRole("tab", { name: "Rate limits" }).click();
    await page.getByRole("button", { name: "New rate limit" }).click();
    await page.getByLabel("Provider").fill("house");
    await page.getByLabel("Requests a minute").fill("60");
    await page.getByRole("button", { name: "Make it" }).click();
    await page.getByText("60 requests a minute").waitFor();
    expect(new URL(page.url()).search).toBe("?tab=limits");
  });

  it("complained of nothing", () => {
    expect(complaints).toEqual([]);
  });
});
