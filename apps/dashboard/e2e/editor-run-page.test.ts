import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shootIn } from "./editor-looks.ts";
import { EditorPage } from "./editor-page.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";

describe("the page of a run", () => {
  let editor: EditorPage;
  let page: Page;
  let broken: Server;

  beforeAll(async () => {
    broken = createServer((_, response) => response.writeHead(500).end("no paper"));
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const { port } = broken.address() as AddressInfo; // cast: it listens on a port
    editor = await EditorPage.start({ OVEN_OUTBOUND_ALLOW: `http://127.0.0.1:${port}` });
    page = editor.page;
  });
  afterAll(async () => {
    await editor?.close();
    broken?.close();
  });

  const run = async (id: number, query = ""): Promise<number> =>
    (await editor.oven.call("POST", `agent-workflows/${id}/execute${query}`, { input: {} })).body.id;

  it("shows one status of a failed call: the one that was answered", async () => {
    const { port } = broken.address() as AddressInfo; // cast: it listens on a port
    const id = await editor.create("agent-workflows", "Calls", {
      initial: "call",
      states: {
        call: {
          invoke: {
            src: "core.http",
            input: { url: `http://127.0.0.1:${port}/` },
            retry: { maxAttempts: 1 },
            onDone: "done",
          },
        },
        done: { type: "final" },
      },
    });
    const failed = await run(id, "?wait=30");
    await page.goto(`${editor.oven.url}/agent-workflow-executions/${failed}/show`);
    const alert = page.getByRole("alert").filter({ hasText: "answered 500" });
    await alert.getByText(/^Details/).click();
    const report = JSON.parse((await alert.locator("pre").textContent()) ?? "");
    expect(report).toMatchObject({ code: "HTTP_STATUS", details: { status: 500, body: "no paper" } });
    expect(report).not.toHaveProperty("status");
  });

  it("names the person who approved, opens at its result, and has graph and timeline side by side", async () => {
    const id = await editor.create("agent-workflows", "Approved", {
      initial: "review",
      states: {
        review: {
          label: "Check it",
          invoke: { src: "agent.humanReview", input: { show: { text: "word ".repeat(900) } }, onDone: "done" },
        },
        done: { type: "final", output: { reply: "Sent", approvedBy: "$.review_output.reviewer" } },
      },
    });
    const waiting = await run(id);
    await expect.poll(async () => (await editor.oven.call("GET", "reviews")).body.length).toBe(1);
    const [{ id: review }] = (await editor.oven.call("GET", "reviews")).body;
    await page.goto(`${editor.oven.url}/reviews/${review}`);
    await page
      .getByRole("button", { name: /^Approve/ })
      .first()
      .click();
    await page.getByText("by you").waitFor();
    await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
    await page.getByRole("link", { name: "See the run" }).click();
    await page.waitForURL(`**/agent-workflow-executions/${waiting}/show`);
    const result = page.getByText("Approved by", { exact: true });
    await result.waitFor();
    const name = (await editor.oven.call("GET", `reviews/${review}`)).body.decidedByName;
    expect(name).toMatch(/\D/);
    await page.locator("dd").filter({ hasText: name }).waitFor();
    expect(await page.evaluate("window.scrollY")).toBe(0);
    const seen = await result.boundingBox();
    expect(seen?.y).toBeGreaterThan(0);
    expect(seen?.y).toBeLessThan(900);
    await page.locator("section.oven-graph[data-ready=true]").waitFor();
    const graph = await page.getByRole("region", { name: /^Graph of Approved/ }).boundingBox();
    const timeline = await page.getByRole("heading", { name: "Timeline" }).boundingBox();
    expect(timeline?.x).toBeGreaterThan((graph?.x ?? 0) + (graph?.width ?? 0));
    expect(Math.abs((timeline?.y ?? 0) - (graph?.y ?? 0))).toBeLessThan(80);
    await shootIn(editor, "run-page-wide");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 844);
    expect(await overflow(page)).toBe(0);
    await shootIn(editor, "run-page-phone");
    await resize(page, 1440, 900);
    expect(editor.faults(/status of (401|404)/)).toEqual([]);
  });

  it("says before publishing what past runs would come to", async () => {
    const sorted = (limit: number) => ({
      initial: "sort",
      states: {
        sort: {
          invoke: {
            src: "core.transform",
            input: { mapping: { amount: "$.trigger.amount" } },
            onDone: [
              { target: "large", guard: { type: "cel", params: { expression: `output.amount > ${limit}.0` } } },
              "small",
            ],
          },
        },
        large: { type: "final", outcome: "large" },
        small: { type: "final", outcome: "small" },
      },
    });
    const id = await editor.create("agent-workflows", "Sorts", sorted(20));
    for (const amount of [10, 30, 50]) {
      const path = `agent-workflows/${id}/execute?wait=30`;
      expect((await editor.oven.call("POST", path, { input: { amount } })).body.status).toBe("completed");
    }
    const draft = { definition: sorted(40), baseVersion: 1, revision: 0 };
    expect((await editor.oven.call("PUT", `agent-workflows/${id}/draft`, draft)).status).toBe(200);
    await editor.open("agent-workflows", id);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const past = page.getByRole("dialog").getByRole("region", { name: "Past runs" });
    await shootIn(editor, "publish-past-runs-before");
    await past.getByRole("button", { name: "Try on past runs" }).click();
    await past.getByText("2 of 3 come out the same · 1 ends differently").waitFor();
    await past.getByText("ended as large, would end as small").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shootIn(editor, "publish-past-runs");
    const [run] = await Promise.all([page.context().waitForEvent("page"), past.getByRole("link").click()]);
    await run.waitForURL(/agent-workflows\/\d+\/past-runs\/\d+/);
    await run.close();
    await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Published", { exact: true }).waitFor();
  });
});
