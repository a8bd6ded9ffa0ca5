import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";

const definition = {
  payloadSchema: {
    type: "object",
    additionalProperties: false,
    required: ["name", "email", "message", "size"],
    properties: {
      name: { type: "string", title: "Your name", minLength: 1 },
      email: { type: "string", format: "email", title: "E-mail", description: "We answer there." },
      message: { type: "string", title: "Message", minLength: 10 },
      size: { enum: ["small", "large"], title: "Size" },
      seats: { type: "integer", title: "Seats", minimum: 1, maximum: 9 },
      day: { type: "string", format: "date", title: "Day" },
      topics: { type: "array", items: { enum: ["food", "music"] }, title: "Topics" },
      links: { type: "array", items: { type: "string" }, title: "Links" },
      newsletter: { type: "boolean", title: "Send me news" },
    },
  },
  initial: "done",
  states: { done: { type: "final", output: "$.trigger" } },
};

/** What a screen reader or keyboard user would stumble over. */
async function issues(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations.map((v) => v.id + ': ' + v.nodes[0].html))",
  );
}

describe("a form in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let trigger: { id: number; token: string };

  beforeAll(async () => {
    oven = await startOven();
    chromium = await openBrowser();
    const workflow = await oven.call("POST", "workflows", { name: "Book a table", definition });
    const made = await oven.call("POST", "triggers", {
      type: "form",
      name: "Book a table",
      target: { kind: "workflow", workflowId: workflow.body.id },
      config: { description: "Tell us who comes.", submitLabel: "Book", thanks: "See you soon!" },
    });
    trigger = made.body;
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  const looks = [
    { look: "desktop", options: { width: 1280, height: 900 } },
    { look: "390-dark", options: { width: 390, height: 844, dark: true } },
  ];
  it.each(looks)("is filled in by a stranger and starts a run ($look)", async ({ look, options }) => {
    const { page, complaints } = await chromium.newPage(options);
    const answer = await page.goto(`${oven.url}/forms/${trigger.token}`);
    await page.getByRole("heading", { name: "Book a table" }).waitFor();
    await expect.poll(() => page.locator("meta[name=robots]").getAttribute("content")).toContain("noindex");
    expect(answer?.headers()["content-security-policy"]).toContain("'nonce-");
    await shoot(page, `form-${look}`);
    expect(await issues(page)).toEqual([]);

    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("E-mail").fill("nobody");
    await page.getByLabel("Message").fill("Too short");
    await page.getByLabel("Size").selectOption({ label: "large" });
    await page.getByLabel("Seats").fill("12");
    await page.getByRole("button", { name: "Book" }).click();
    await page.getByText("Some answers cannot be used yet").waitFor();
    await expect.poll(() => page.getByLabel("E-mail").getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => page.getByLabel("Seats").getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => page.getByLabel("Your name").getAttribute("aria-invalid")).toBe("false");
    await shoot(page, `form-problems-${look}`);
    expect(await issues(page)).toEqual([]);

    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Message").fill("A table at the window, please.");
    await page.getByLabel("Seats").fill("2");
    await page.getByLabel("Day").fill("2026-12-24");
    await page.getByLabel("food").check();
    await page.getByLabel("Links").fill("https://example.com/a\nhttps://example.com/b");
    await page.getByLabel("Send me news").check();
    const wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(wider)).toBeLessThanOrEqual(0);
    await page.getByRole("button", { name: "Book" }).click();
    await page.getByText("See you soon!").waitFor();
    await shoot(page, `form-sent-${look}`);
    expect(await issues(page)).toEqual([]);

    const filter = encodeURIComponent(JSON.stringify({ triggerId: trigger.id }));
    const { body } = await oven.call("GET", `trigger-deliveries?filter=${filter}&sort=["id","DESC"]`);
    expect(body[0]).toMatchObject({
      decision: "started",
      payload: {
        name: "Ada",
        email: "ada@example.com",
        message: "A table at the window, please.",
        size: "large",
        seats: 2,
        day: "2026-12-24",
        topics: ["food"],
        links: ["https://example.com/a", "https://example.com/b"],
        newsletter: true,
      },
    });
    // The browser itself notes the 400 of the first attempt.
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
    await page.context().close();
  });

  it("says that it is closed, or not there", async () => {
    await oven.call("PUT", `triggers/${trigger.id}`, { enabled: false });
    const { page } = await chromium.newPage();
    await page.goto(`${oven.url}/forms/${trigger.token}`);
    await page.getByText("This form is closed").waitFor();
    await expect.poll(() => page.getByRole("button").count()).toBe(0);
    await page.goto(`${oven.url}/forms/unknown`);
    await page.getByText("There is no form at this address").waitFor();
    expect(await issues(page)).toEqual([]);
  });
});
