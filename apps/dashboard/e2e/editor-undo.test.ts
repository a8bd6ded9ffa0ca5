import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shoot } from "./browser.ts";
import { shootIn } from "./editor-looks.ts";
import { EditorPage } from "./editor-page.ts";
import { seriousIssues } from "./page-checks.ts";

const note = (text: string, onDone: string, more: object = {}): object => ({
  label: text,
  invoke: { src: "core.transform", input: { mapping: { id: text } }, onDone },
  ...more,
});

describe("undo in the editor", () => {
  let editor: EditorPage;
  let page: Page;

  beforeAll(async () => {
    editor = await EditorPage.start();
    page = editor.page;
  });
  afterAll(async () => {
    await editor?.close();
  });

  it("is chosen for a step, drawn as a line, and seen in a run that fails", async () => {
    const id = await editor.create("workflows", "Orders", {
      initial: "charge",
      states: {
        charge: note("Charge", "reserve"),
        reserve: note("Reserve", "ship", { undo: "refund" }),
        ship: { label: "Ship", invoke: { src: "core.fail", input: { message: "nothing left" } } },
        refund: note("Refund", "undone", {
          invoke: { src: "core.transform", input: { mapping: { id: "$.undo.output.id" } }, onDone: "undone" },
        }),
        undone: { type: "final" },
      },
    });
    await editor.open("workflows", id);
    await editor.card("charge").click();
    await editor.panel().getByRole("button", { name: "When the run fails later" }).click();
    await editor.panel().getByLabel("Undone by").selectOption({ label: "Refund" });
    await editor.saved();
    expect((await editor.draftOf("workflows", id)).states).toMatchObject({ charge: { undo: "refund" } });
    await shootIn(editor, "editor-undo");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await editor.panel().getByLabel("Undone by").selectOption({ label: "New step…" });
    await page.getByPlaceholder("What comes next?").fill("HTTP");
    await page.getByRole("option", { name: /HTTP/ }).first().click();
    await editor.saved();
    const { states } = await editor.draftOf("workflows", id);
    expect(states).toMatchObject({
      http: { invoke: { src: "core.http", onDone: "undone" } },
      charge: { undo: "http" },
    });
  });

  it("is shown on the page of the run", async () => {
    const definition = {
      initial: "charge",
      states: {
        charge: note("Charge", "reserve", { undo: "refund" }),
        reserve: note("Reserve", "ship", { undo: "release" }),
        ship: { label: "Ship", invoke: { src: "core.fail", input: { message: "nothing left" } } },
        refund: note("Refund", "undone"),
        release: note("Release", "undone"),
        undone: { type: "final" },
      },
    };
    const made = await editor.oven.call("POST", "workflows", { name: "Undone orders", definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const run = await editor.oven.call("POST", `workflows/${made.body.id}/execute?wait=20`, {});
    await page.goto(`${editor.oven.url}/workflow-executions/${run.body.id}/show`);
    await page.getByText("nothing left. Undone: reserve, charge.").first().waitFor();
    await page.getByText("Release").first().waitFor();
    // What it had done is gone: it can only be started again.
    await page.getByRole("button", { name: "Run again" }).waitFor();
    expect(await page.getByRole("button", { name: "Retry" }).count()).toBe(0);
    await page.locator('[data-id="charge"]').waitFor();
    await shoot(page, "run-undone");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });
});
