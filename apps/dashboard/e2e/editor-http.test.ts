import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shootIn } from "./editor-looks.ts";
import { EditorPage } from "./editor-page.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";

describe("an HTTP step", () => {
  let editor: EditorPage;
  let page: Page;

  beforeAll(async () => {
    editor = await EditorPage.start();
    page = editor.page;
  });
  afterAll(async () => {
    await editor?.close();
  });

  it("is filled from a curl command, asks for a body only where the method has one, and begins with the method", async () => {
    const id = await editor.create("agent-workflows", "Calls", {
      initial: "call",
      states: {
        call: { invoke: { src: "core.http", input: { url: "https://example.com", anyStatus: true }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    await page.addInitScript(
      "window.transitions = 0; addEventListener('transitionrun', () => { window.transitions += 1; }, true);",
    );
    await editor.open("agent-workflows", id);
    await editor.card("call").click();
    const panel = editor.panel();
    const method = panel.getByLabel("Method", { exact: true });
    const url = panel.getByRole("textbox", { name: "Url" }).first();
    const [first, second] = [await method.boundingBox(), await url.boundingBox()];
    expect(first?.y).toBeLessThan(second?.y ?? 0);
    const body = panel.getByText("Body", { exact: true });
    expect(await body.count()).toBe(0);
    await method.selectOption("POST");
    await body.waitFor();
    await method.selectOption("GET");
    await body.waitFor({ state: "detached" });
    await panel.getByRole("button", { name: "Paste a curl command" }).click();
    const command = panel.getByRole("textbox", { name: "curl command" });
    await command.fill("wget https://example.com");
    await command.press("Enter");
    await panel.getByText("This is no curl command").waitFor();
    await shootIn(editor, "editor-http-curl");
    await command.fill(
      `curl https://api.example.com/v1/charges -u sk_test: -H 'X-Trace: 1' --json '{"amount": 2000, "name": "{{ as it is }}"}'`,
    );
    await command.press("Enter");
    await command.waitFor({ state: "detached" });
    await panel.getByText(/^Name and password \(-u\) were left out/).waitFor();
    await body.waitFor();
    await shootIn(editor, "editor-http-filled");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await editor.saved();
    const input = async () => (await editor.draftOf("agent-workflows", id)).states.call.invoke.input;
    await expect.poll(input).toEqual({
      anyStatus: true,
      method: "POST",
      url: "https://api.example.com/v1/charges",
      headers: { "X-Trace": "1", Accept: "application/json" },
      body: { $literal: { amount: 2000, name: "{{ as it is }}" } },
    });
    // One step of undo.
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await input()).url).toBe("https://example.com");
    await resize(page, 390, 844);
    await editor.card("call").click();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Paste a curl command" }).click();
    expect(await overflow(page)).toBe(0);
    await resize(page, 1440, 900);
    // Tests ask for less motion: a transition of 0.01 ms on everything was some six thousand here.
    expect(await page.evaluate("transitions")).toBe(0);
    expect(editor.faults(/status of (401|404)/)).toEqual([]);
  });
});
