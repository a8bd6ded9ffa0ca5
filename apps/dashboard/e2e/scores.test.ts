import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { expectWhole, overflow, resize, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

const payloadSchema = { type: "object", properties: { question: { type: "string" } }, required: ["question"] };
const ECHO = {
  initial: "say",
  payloadSchema,
  states: {
    say: { invoke: { src: "core.transform", input: { mapping: { reply: "$.trigger.question" } }, onDone: "done" } },
    done: { type: "final", output: "$.say_output" },
  },
};
const FAILS = {
  initial: "check",
  payloadSchema,
  states: {
    check: {
      invoke: { src: "core.fail", input: { message: "Order {{ $.trigger.question }} was lost" }, onDone: "done" },
    },
    done: { type: "final" },
  },
};

describe("scores and failures in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  let echo: number;
  let chat: number;
  let run: number;
  beforeAll(async () => {
    oven = await startOven({ bootstrap: false, env: { OVEN_DEMO: "0" } });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
    // Nobody was signed in before.
    complaints.length = 0;
    echo = (await send("POST", "workflows", { name: "Echo", definition: ECHO })).id;
    chat = (await send("POST", "chat-sessions", { target: { kind: "workflow", id: echo } })).id;
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  async function send(method: string, path: string, data: object): Promise<{ id: number }> {
    const headers = { origin: oven.url };
    const response = await page.request.fetch(`${oven.url}/api/${path}`, { method, data, headers });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  }
  const execute = async (workflow: number, question: string): Promise<number> =>
    (await send("POST", `workflows/${workflow}/execute?wait=20`, { input: { question } })).id;

  it("takes a thumb under an answer, with a comment, and takes it back", async () => {
    await send("POST", `chat-sessions/${chat}/messages`, { message: "Hello there" });
    await page.goto(`${oven.url}/chat/${chat}`);
    const turn = page.getByRole("region", { name: "Message: Hello there" });
    await turn.getByRole("button", { name: "Bad" }).click();
    await expect.poll(() => turn.getByRole("button", { name: "Bad" }).getAttribute("aria-pressed")).toBe("true");
    await turn.getByRole("button", { name: "Add a comment" }).click();
    await turn.getByRole("textbox", { name: "Comment" }).fill("Only an echo");
    await turn.getByRole("button", { name: "Save" }).click();
    await turn.getByRole("button", { name: "Change the comment" }).waitFor();
    await shoot(page, "chat-thumbs");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 844);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await resize(page, 1280, 800);
    // Another window sees the same.
    await page.reload();
    await expect.poll(() => turn.getByRole("button", { name: "Bad" }).getAttribute("aria-pressed")).toBe("true");
    await turn.getByRole("link", { name: /^Run #/ }).click();
    await page.getByText("Only an echo").waitFor();
    await page.goto(`${oven.url}/chat/${chat}`);
    await turn.getByRole("button", { name: "Bad" }).click();
    await expect.poll(() => turn.getByRole("button", { name: "Bad" }).getAttribute("aria-pressed")).toBe("false");
  });

  it("takes a thumb on the page of a run, beside what programs say of it", async () => {
    run = await execute(echo, "Good morning");
    await send("POST", `workflow-executions/${run}/scores`, {
      name: "outcome",
      value: 0.25,
      comment: "refund disputed",
    });
    await page.goto(`${oven.url}/workflow-executions/${run}/show`);
    await page.getByText("refund disputed").waitFor();
    await page.getByRole("button", { name: "Good" }).click();
    await page.getByRole("listitem").filter({ hasText: "thumbs" }).waitFor();
    await shoot(page, "run-scores");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("shows scores of a workflow by version and day, and lets a judge read a sample", async () => {
    await page.goto(`${oven.url}/workflows/${echo}/show?tab=scores`);
    const thumbs = page.getByRole("region", { name: "Scores of thumbs" });
    await thumbs.getByText("mean 1.00 of 1 score, 1 good, 0 bad").waitFor();
    await page
      .getByRole("region", { name: "Scores of outcome" })
      .getByText(/^mean 0\.25/)
      .waitFor();
    await page.getByRole("button", { name: "New judge" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name of its scores" }).fill("tone");
    await dialog.getByRole("textbox", { name: "What a good run is" }).fill("It is polite.");
    await dialog.getByRole("textbox", { name: "Percent of completed runs" }).fill("25");
    await dialog.getByRole("button", { name: "Save the judge" }).click();
    await page.getByText(/^25 % of completed runs by fast/).waitFor();
    await shoot(page, "workflow-scores");
  });

  it("groups failed runs, and tries all of a group again on the current version", async () => {
    const fails = (await send("POST", "workflows", { name: "Orders", definition: FAILS })).id;
    for (const order of ["8841", "17", "3"]) await execute(fails, order);
    await send("PUT", `workflows/${fails}`, {
      definition: { ...ECHO, initial: "check", states: { check: ECHO.states.say, done: { type: "final" } } },
    });
    await page.goto(`${oven.url}/workflow-executions?tab=failures`);
    const group = page.getByRole("article", { name: /^3 failures of Orders/ });
    await group.getByText("Order # was lost").waitFor();
    await group.getByRole("button", { name: "More" }).click();
    await group.getByText(/said: Order 3 was lost/).waitFor();
    await group.getByRole("button", { name: "Make a case" }).waitFor();
    await shoot(page, "failures");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await group.getByRole("button", { name: "Retry all on the current version" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retry all" }).click();
    await group.getByText("3 of 3 runs go on in new ones, 0 were not tried again").waitFor();
    await group.getByText("0 not tried again").waitFor();
    await page.getByRole("tab", { name: "Runs", exact: true }).click();
    await page
      .getByText("retry of")
      .or(page.getByRole("link", { name: "Orders" }).first())
      .first()
      .waitFor();
  });

  it("looks whole in the dark, on a phone and in German, and nothing was complained about", async () => {
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [
        [`workflow-executions/${run}/show`, "run-scores", "refund disputed"],
        [`workflows/${echo}/show?tab=scores`, "workflow-scores", "outcome"],
        ["workflow-executions?tab=failures", "failures", "Order # was lost"],
        [`chat/${chat}`, "chat-thumbs", "Hello there"],
      ],
      looks: [
        { width: 1280, dark: true },
        { width: 390, dark: false },
        { width: 390, dark: true, language: "de" },
      ],
    });
    expect(complaints).toEqual([]);
  });
});
