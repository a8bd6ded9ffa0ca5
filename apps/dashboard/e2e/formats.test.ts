import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ChainTraceSchema } from "@oven/contract/formats/chains.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { expectWhole, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

/** An app of Dify with two steps that have no equivalent. */
const DIFY = `kind: app
app: { name: Support, mode: workflow }
workflow:
  graph:
    nodes:
      - { id: "1", data: { type: start, title: Start, variables: [{ variable: mail, type: paragraph }] } }
      - id: "2"
        data:
          type: code
          title: Run Python
          code_language: python3
          code: "import requests\\n\\ndef main(q: str) -> dict:\\n    return {'result': requests.get(q).text}"
          variables: [{ variable: q, value_selector: ["1", mail] }]
          outputs: { result: { type: string } }
      - id: "4"
        data: { type: tool, title: Send mail, tool_name: send, tool_label: Send, provider_id: gmail, provider_name: gmail, tool_parameters: { to: { type: constant, value: ada@example.org } } }
      - { id: "3", data: { type: end, title: End, outputs: [{ variable: answer, value_selector: ["2", result] }] } }
    edges:
      - { source: "1", target: "2", sourceHandle: source }
      - { source: "2", target: "4", sourceHandle: source }
      - { source: "4", target: "3", sourceHandle: source }
`;

const GRAPH = {
  name: "Region report",
  steps: {
    root: { function: "core.transform", input: { mapping: { topic: "otters" } } },
    ask: { function: "utils.request.request", input: { prompt: "Which region?" } },
    lost: { function: "core.transfrom", input: {} },
    report: {
      function: "core.transform",
      input: { mapping: { region: "@{SESSION_ID}.ask.response", by: "@{SESSION_ID}.hand.name" } },
    },
    hand: { function: "core.transform", input: { mapping: {} } },
  },
  next: [
    { from: "root", to: "ask" },
    { from: "root", to: "lost" },
    { from: "root", to: "report" },
    { from: "report", to: "hand", conditions: [{ variable: "@{SESSION_ID}.report.never", operator: "exists" }] },
  ],
};

describe("documents of other formats", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    oven = await startOven();
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  const main = () => page.locator("main");
  const choose = (source: string) =>
    page
      .getByLabel("Import into Session graphs")
      .setInputFiles({ name: "graph.json", mimeType: "application/json", buffer: Buffer.from(source) });

  it("are imported from a file, with errors that point into it, and exported again", async () => {
    await openSetting(page, "Workflow formats");
    await main().getByText("Executor chains").waitFor();
    await choose(JSON.stringify(GRAPH, null, 2).replace('"to": "ask"', '"to": "aks"'));
    await main()
      .getByText(/Line \d+, column 13: next\[0\]\.to: There is no step "aks"/)
      .waitFor();
    await main().getByText("Did you mean ask?", { exact: true }).waitFor();
    await choose(JSON.stringify(GRAPH));
    await main().getByText("Region report").first().waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download Region report" }).click(),
    ]);
    expect(JSON.parse(readFileSync(await file.path(), "utf8"))).toEqual(GRAPH);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("of other products are shown with what becomes of them, and open in the editor as drafts", async () => {
    await page.goto(`${oven.url}/agent-workflows/create`);
    await main()
      .locator("input[type=file]")
      .first()
      .setInputFiles({ name: "chat.yml", mimeType: "application/yaml", buffer: Buffer.from(DIFY) });
    await main().getByText("A workflow of Dify").waitFor();
    await main().getByText("it loads the module requests, which is not there").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await main().getByRole("button", { name: "Create the draft" }).click();
    await page.getByText("Run Python").first().waitFor();
    await page
      .getByText(/^2 problems$/)
      .first()
      .waitFor();
  });

  it("leave their report beside the graph, from which placeholders are replaced one by one", async () => {
    const report = page.getByRole("region", { name: "Import", exact: true });
    await report.getByText("0 of 2 placeholders are filled.").waitFor();
    await report.getByText("it loads the module requests, which is not there").waitFor();
    await report.getByRole("button", { name: "Send mail", exact: true }).click();
    const settings = page.getByRole("complementary", { name: "Settings of Send mail" });
    await settings.waitFor();
    await expect.poll(() => report.locator("[aria-current=true]").textContent()).toContain("Send mail");
    await shoot(page, "import-report");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await report.getByRole("button", { name: "Replace Send mail" }).click();
    await page.keyboard.type("http");
    await page.keyboard.press("Enter");
    await report.getByText("1 of 2 placeholders are filled.").waitFor();
    // What it was set to there is read where it is set here.
    await settings.getByRole("button", { name: "As it was in Dify" }).click();
    await settings
      .getByRole("group", { name: "the settings of Send mail" })
      .getByText("tool_parameters")
      .first()
      .waitFor();
    await shoot(page, "import-filled");
    await page.getByText("Saved", { exact: false }).first().waitFor();
    await page.reload();
    // It stays open where the person came from the import.
    await report.getByText("1 of 2 placeholders are filled.").waitFor();
    await page.goto(`${oven.url}/workflow-formats`);
  });

  it("run in sessions, whose steps, questions, errors and state are shown, and whose state is changed [002-042] [002-049] [002-071] [002-081]", async () => {
    await page.getByRole("link", { name: "Sessions" }).click();
    await main().getByText("$.steps.lost.function").first().waitFor();
    await page.getByRole("button", { name: "Start a session" }).click();
    const steps = page.getByRole("list", { name: "Steps" });
    await steps.getByText('There is no function "core.transfrom"').waitFor();
    await steps.getByText("@{SESSION_ID}.ask.response, @{SESSION_ID}.hand.name").waitFor();
    await main().getByRole("heading", { name: "Which region?" }).waitFor();
    await main()
      .getByRole("textbox", { name: /response/i })
      .fill("Bern");
    await main().getByRole("button", { name: "Answer" }).click();
    await steps.getByText("waits for @{SESSION_ID}.hand.name").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    const state = page.getByLabel("State of the session");
    await expect
      .poll(async () => JSON.parse(await state.inputValue()).data.outputs.ask)
      .toEqual([{ response: "Bern" }]);
    const given = JSON.parse(await state.inputValue());
    await state.fill(JSON.stringify({ ...given, workflow: { ...given.workflow, nobody: given.workflow.root } }));
    await main().getByRole("button", { name: "Write" }).click();
    await main().getByText("There is no step nobody").first().waitFor();
    given.data.outputs.hand = [{ name: "Ada" }];
    await state.fill(JSON.stringify(given, null, 2));
    await main().getByRole("button", { name: "Write" }).click();
    await main().getByText("With errors: lost").first().waitFor();
    await expect
      .poll(async () => JSON.parse(await state.inputValue()).data.outputs.report)
      .toEqual([{ region: "Bern", by: "Ada" }]);
    const session = new URL(page.url()).pathname.slice(1);
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [
        [session, "graph-session", "With errors: lost"],
        ["workflow-formats", "workflow-formats", "Region report"],
      ],
      looks: [
        { width: 1280, dark: false },
        { width: 390, dark: true },
      ],
    });
    // Answers that take longer than the page waits until it asks again are shown all the same.
    await page.clock.install();
    await page.route(`**/api/${session}`, async (route) => {
      await page.clock.fastForward(2_500);
      await route.continue();
    });
    await page.goto(`${oven.url}/${session}`);
    await main().getByText("With errors: lost").first().waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    // The run page tells the same.
    await main()
      .getByRole("link", { name: /^Run \d+$/ })
      .click();
    await page.waitForURL(/agent-workflow-executions/);
    await main()
      .getByText(/core\.transfrom: There is no function/)
      .first()
      .waitFor();
  });

  it("keep their workflow: the canvas shows it read-only, and converts it to a copy that can be changed", async () => {
    await page.goto(`${oven.url}/workflow-formats`);
    await main().getByRole("link", { name: "Workflow", exact: true }).click();
    await page.waitForURL(/agent-workflows\/\d+\/show/);
    const [, id = ""] = /agent-workflows\/(\d+)/.exec(page.url()) ?? [];
    await page.goto(`${oven.url}/agent-workflows/${id}/editor`);
    await page.getByText("Read-only: this workflow is kept by its document").waitFor();
    await page.locator("section[data-ready=true]").first().waitFor();
    expect(await page.getByRole("button", { name: /publish/i }).count()).toBe(0);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Convert to canvas" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Convert" }).click();
    await page.waitForURL(
      (url) => /agent-workflows\/\d+\/editor/.test(url.pathname) && !url.pathname.includes(`/${id}/`),
    );
    await page.getByRole("heading", { name: "Region report (canvas)" }).waitFor();
    await page
      .getByRole("button", { name: /publish/i })
      .first()
      .waitFor();
    // What was refused on purpose is no complaint.
    expect(complaints.filter((text) => !text.includes("Failed to load resource"))).toEqual([]);
  });

  it("are drawn up step by step where they are linear, and a prompt is offered what came before it alone [000-018] [000-019]", async () => {
    await page.goto(`${oven.url}/workflow-formats`);
    await main().getByRole("button", { name: "New", exact: true }).click();
    await page.getByLabel("Name").fill("Mail labels");
    await page.getByRole("button", { name: "Create" }).click();
    await main().getByText("No steps yet").waitFor();
    await main().getByLabel("What starts it").click();
    await page.getByRole("option", { name: "By hand" }).click();
    for (const name of ["Summarise", "Label"]) {
      await main().getByRole("button", { name: "Add a step" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await main().getByRole("form", { name }).waitFor();
    }
    const first = main().getByRole("form", { name: "Summarise" });
    const second = main().getByRole("form", { name: "Label" });
    const offered = async (form: typeof first) => {
      await form.getByRole("button", { name: "Insert an earlier output" }).click();
      await page.getByRole("menuitem").first().waitFor();
      return page.getByRole("menuitem").allInnerTexts();
    };
    expect(await offered(first)).toEqual(["What the trigger brings"]);
    await page.getByRole("menuitem").click();
    await first.getByRole("button", { name: "Save" }).click();
    await second.getByLabel("Prompt").fill("Label this: ");
    expect(await offered(second)).toEqual(["What the trigger brings", "Summarise"]);
    await page.getByRole("menuitem", { name: "Summarise" }).click();
    await second.getByText(/is Summarise$/).waitFor();
    await second.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => main().getByText("cannot run yet").count()).toBe(0);
    const path = new URL(page.url()).pathname.slice(1);
    const { steps } = (await page.evaluate(
      (at) => fetch(`/api/${at}/details`).then((answer) => answer.json()),
      path,
    )) as { steps: { system_prompt: string; output_datacontainer_uuid: string }[] }; // cast: the route's response
    expect(steps[1]?.system_prompt).toBe(`Label this: <<data.${steps[0]?.output_datacontainer_uuid}>>`);
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [[path, "linear-workflow", "Mail labels"]],
      looks: [
        { width: 1280, dark: false },
        { width: 390, dark: true },
      ],
    });
    await main().getByRole("button", { name: "Move Label up" }).click();
    await main().getByText("1. Label").waitFor();
    expect(await offered(second)).toEqual(["What the trigger brings"]);
    await page.keyboard.press("Escape");
    await second.getByRole("note").first().waitFor();
    await main().getByRole("button", { name: "Delete Summarise" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => main().getByRole("form").count()).toBe(1);
  });

  it("tell the same of a chain's run on its page and in a shell [001-206]", async () => {
    const post = (path: string, body: object) =>
      page.evaluate(
        async ([at, text]) => {
          const headers = { "content-type": "application/json" };
          const answer = await fetch(`/api/${at}`, { method: "POST", headers, body: text });
          return (await answer.json()) as Record<string, string>; // cast: looked at below
        },
        [path, JSON.stringify(body)] as const,
      );
    const { key = "" } = await post("api-keys", { name: "shell", permissions: ["*"] });
    const made = await post("executor-chains", {
      name: "Price check",
      description: "",
      executors: [
        {
          executor_id: "fetch",
          name: "Fetcher",
          model: "fast",
          tools: [],
          system_prompt: "Fetch the price of bread.",
          output_schema: { price: "float" },
        },
      ],
    });
    const { run_id: run = "" } = await post(`executor-chains/${made.workflow_id ?? made.slug}/run`, { wait: 30 });
    const command = join(import.meta.dirname, "../../cli/src/oven.ts");
    const shell = promisify(execFile);
    const { stdout } = await shell(process.execPath, [
      command,
      "trace",
      run,
      "--url",
      oven.url,
      "--key",
      key,
      "--json",
    ]);
    const trace = ChainTraceSchema.parse(JSON.parse(stdout));
    const [fetched] = trace.executor_runs;
    const { total = 0 } = fetched?.tokens ?? {};
    expect([trace.status, fetched?.executor_id, fetched?.status]).toEqual(["completed", "fetch", "success"]);
    expect(total).toBeGreaterThan(0);
    await page.goto(`${oven.url}/agent-workflow-executions/${Number.parseInt(run.slice(-12), 16)}/show`);
    await main().getByText("completed").first().waitFor();
    await main().getByText(`${total} tok`).first().waitFor();
    await main().getByText("Keep: Fetcher").first().waitFor();
  });
});
