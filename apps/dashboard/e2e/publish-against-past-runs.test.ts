import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shoot } from "./browser.ts";
import { shootIn } from "./editor-looks.ts";
import { EditorPage } from "./editor-page.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";

/** Orders above the limit are answered by a model. */
const orders = (limit: number, prompt: string) => ({
  initial: "sort",
  states: {
    sort: {
      invoke: {
        src: "core.transform",
        input: { mapping: { amount: "$.trigger.amount" } },
        onDone: [
          { target: "reply", guard: { type: "cel", params: { expression: `output.amount > ${limit}.0` } } },
          "small",
        ],
      },
    },
    reply: { invoke: { src: "agent.llm", input: { prompt, model: "simulated:echo" }, onDone: "large" } },
    large: { type: "final", outcome: "large", output: { text: "$.reply_output.text" } },
    small: { type: "final", outcome: "small" },
  },
});
const THANKS = "Thank for the order of {{$.trigger.amount}}";
const KINDER = "Thank very kindly for the order of {{$.trigger.amount}}";

describe("publishing against past runs in the browser", () => {
  let editor: EditorPage;
  let page: Page;
  let id: number;
  const runs: number[] = [];

  beforeAll(async () => {
    editor = await EditorPage.start();
    page = editor.page;
    id = await editor.create("agent-workflows", "Orders", orders(20, THANKS));
    for (const amount of [10, 30, 35, 70]) {
      const run = await editor.oven.call("POST", `agent-workflows/${id}/execute?wait=30`, { input: { amount } });
      expect(run.body.status).toBe("completed");
      runs.push(run.body.id);
    }
  });
  afterAll(async () => {
    await editor?.close();
  });

  const saveDraft = async (definition: object) => {
    const { body } = await editor.oven.call("GET", `agent-workflows/${id}/draft`);
    const draft = { definition, baseVersion: 1, revision: body.revision ?? 0 };
    expect((await editor.oven.call("PUT", `agent-workflows/${id}/draft`, draft)).status).toBe(200);
  };
  const openDialog = async () => {
    await editor.open("agent-workflows", id);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    return page.getByRole("dialog");
  };

  it("says in a sentence what the policy asks for", async () => {
    await page.goto(`${editor.oven.url}/graph-policies`);
    await page.getByRole("button", { name: "New policy" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Past runs");
    await dialog.getByLabel("What the rule is about").click();
    await page.getByRole("option", { name: "Past runs come to the same before a version is published" }).click();
    await dialog.getByLabel("Percent that come out the same, at least").fill("");
    await dialog.getByLabel("A person has looked at every difference").check();
    await shootIn(editor, "policy-past-runs");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save the policy" }).click();
    await page
      .getByText(
        "Before a version of any workflow is published, its last 50 runs are tried on it: none makes a tool call that was not there, a person has looked at every difference.",
      )
      .waitFor();
  });

  it("shows which runs end differently, one of them side by side, and publishes once that is mended", async () => {
    await saveDraft(orders(40, KINDER));
    const dialog = await openDialog();
    await dialog.getByText(/no person has looked at what these past runs come to/).waitFor();
    const past = dialog.getByRole("region", { name: "Past runs", exact: true });
    await past.getByRole("button", { name: "Try on past runs" }).click();
    await past.getByText("1 of 4 comes out the same · 2 end differently · 1 cannot be known").waitFor();
    await past.getByRole("button", { name: "Try again" }).waitFor();
    await shootIn(editor, "publish-rules");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await dialog.getByText("The workflow was not published").waitFor();

    const link = past.getByRole("link", { name: `Run ${runs[2]}` });
    const [sides] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    await sides.getByRole("heading", { name: `Run ${runs[2]} on the draft` }).waitFor();
    await sides.getByText("ended as large, would end as small").waitFor();
    await sides.keyboard.press("j");
    const missing = sides.getByRole("region", { name: "reply: only as recorded" });
    const inFocus = () => sides.evaluate("document.activeElement?.getAttribute('aria-label')");
    await expect.poll(inFocus).toBe("reply: only as recorded");
    await missing.getByText("Thank for the order of 35", { exact: false }).first().waitFor();
    await resize(sides, 1440, 900);
    for (const scheme of ["light", "dark"] as const) {
      await sides.emulateMedia({ colorScheme: scheme });
      await shoot(sides, `rehearsed-run${scheme === "dark" ? "-dark" : ""}`);
      await expect.poll(() => seriousIssues(sides)).toEqual([]);
    }
    await resize(sides, 390, 844);
    expect(await overflow(sides)).toBe(0);
    await shoot(sides, "rehearsed-run-phone");
    await sides.close();

    // The branch is mended; the kinder prompt stays, and what the model would say to it was not recorded.
    await saveDraft(orders(20, KINDER));
    await openDialog();
    await past.getByRole("button", { name: "Try on past runs" }).click();
    await past.getByText("1 of 4 comes out the same · 3 cannot be known").waitFor();
    for (const run of runs.slice(1)) {
      const one = past.getByRole("link", { name: `Run ${run}` });
      const [shown] = await Promise.all([page.context().waitForEvent("page"), one.click()]);
      await shown
        .getByRole("region", { name: "reply: not known" })
        .locator("ins")
        .filter({ hasText: "very" })
        .waitFor();
      await shown.getByRole("button", { name: "I have looked at this" }).click();
      await shown.getByText(/has looked at this/).waitFor();
      if (run === runs.at(-1)) await shoot(shown, "rehearsed-run-seen");
      await shown.close();
    }
    await dialog.getByRole("button", { name: "Check the rules again" }).click();
    await dialog.getByText(/no person has looked/).waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Published", { exact: true }).waitFor();
    expect((await editor.oven.call("GET", `agent-workflows/${id}`)).body.version).toBe(2);
    expect(editor.faults(/status of (401|404|409)/)).toEqual([]);
  });
});
