import type { Client } from "@modelcontextprotocol/client";
import type { JsonObject } from "@oven/contract";
import { APP_MEDIA_TYPE, APPS_EXTENSION, DECIDE_VIEW_TOOL, McpEnvelopeSchema } from "@oven/contract/mcp";
import { installedModules } from "@oven/installation";
import { TEST_KEY } from "@oven/testing";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "../server/testing/mcp-endpoint.ts";
import { insertKey } from "../server/testing/strangers.ts";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type McpHost, openMcpHost } from "./mcp-host.ts";
import { seriousIssues } from "./page-checks.ts";

const HOSTILE = `<img src=x onerror="window.hostile=1"><script>window.hostile=1</script>

**Dear Ada**, [the order](https://tracker.example/8841) [or this](javascript:window.hostile=1) ![x](https://tracker.example/leak.png)`;

const refund = (more: object) => ({
  initial: "look",
  states: {
    look: { label: "Look at the order", invoke: { src: "core.delay", input: { ms: 1 }, onDone: "ask" } },
    ask: {
      label: "Ask for the refund",
      invoke: {
        src: "agent.humanReview",
        input: { title: "Refund 12 euros?", show: "12 euros", context: { reason: "It came late" }, ...more },
        onDone: "done",
      },
    },
    done: { type: "final", output: { paid: "$.ask.data" } },
  },
});

/** The built views of a server of MCP, in a client that shows them. */
describe("the views of MCP clients", () => {
  let endpoint: McpEndpoint;
  let host: McpHost;
  let chromium: TestBrowser;

  beforeAll(async () => {
    [endpoint, chromium] = await Promise.all([
      openMcpEndpoint({ modules: installedModules({ demo: false }) }),
      openBrowser(),
    ]);
    const twice = refund({});
    for (const [slug, definition] of Object.entries({
      refund: refund({}),
      "refund-two": refund({ approvals: 2 }),
      "refund-twice": {
        ...twice,
        states: {
          ...twice.states,
          ask: { ...twice.states.ask, invoke: { ...twice.states.ask.invoke, onDone: "voucher" } },
          voucher: {
            invoke: {
              src: "agent.humanReview",
              input: { title: "And the voucher?", show: "a voucher of 5 euros" },
              onDone: "done",
            },
          },
          done: { type: "final", output: { sent: "$.voucher" } },
        },
      },
      letter: refund({ title: "Send this?", show: HOSTILE, context: { reason: "Order \u202e8841" } }),
    })) {
      const body = { name: slug, slug, definition, mcpExport: true };
      const { status, body: answer } = await endpoint.oven.call("POST", "agent-workflows", body);
      expect(status, JSON.stringify(answer)).toBe(201);
    }
  });
  afterAll(async () => {
    await host?.close();
    await chromium?.close();
    await endpoint?.close();
  });

  interface Shown {
    page: Page;
    view: Frame;
    complaints: string[];
    requested: string[];
  }
  interface Look {
    dark?: boolean;
    locale?: string;
  }
  const connect = (slug: string, key = TEST_KEY) =>
    endpoint.connect(slug, {
      key,
      capabilities: { extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_MEDIA_TYPE] } } },
    });
  const show = async (slug: string, look?: Look) => showIn(await connect(slug), slug.replaceAll("-", "_"), {}, look);
  async function showIn(client: Client, tool: string, args: JsonObject, look: Look = {}): Promise<Shown> {
    await host?.close();
    host = await openMcpHost(client);
    const { page, complaints } = await chromium.newPage({ width: 560, height: 900 });
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const context = { theme: look.dark === true ? "dark" : "light", locale: look.locale ?? "en" };
    const view = await host.show(page, tool, args, context);
    return { page, view, complaints, requested };
  }

  it("show the run and what it waits for, decide it, and follow the run to its end", async () => {
    const { page, view, complaints, requested } = await show("refund");
    await view.getByRole("heading", { name: "Refund 12 euros?" }).waitFor();
    expect(await view.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(/completed\s+Look at the order/),
      expect.stringMatching(/paused\s+Ask for the refund/),
    ]);
    await view.getByText("12 euros", { exact: true }).waitFor();
    await view.getByText("It came late").waitFor();
    await shoot(page, "mcp-view-review");
    expect(await seriousIssues(view as unknown as Page)).toEqual([]); // cast: a window has what the scan takes
    await view.getByRole("button", { name: "Approve" }).click();
    await view.getByRole("heading", { name: "Result" }).waitFor();
    await expect
      .poll(() => view.getByRole("listitem").allInnerTexts())
      .toEqual([expect.stringMatching(/completed/), expect.stringMatching(/completed\s+Ask for the refund/)]);
    await view.getByRole("status").getByText("completed").waitFor();
    await shoot(page, "mcp-view-result");
    // Through the client alone, with the digest of what was shown.
    const calls = (await host.asked(page)).filter(({ method }) => method === "tools/call");
    const decided = calls.filter(({ params }) => params.name === DECIDE_VIEW_TOOL);
    expect(decided).toMatchObject([
      { params: { arguments: { action: "approve", digest: expect.stringMatching(/^[0-9a-f]{64}$/) } } },
    ]);
    expect(requested.every((url) => /^http:\/\/(127\.0\.0\.1|localhost):/.test(url))).toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("refuse a decision on what has changed meanwhile, say so, and take one on what it is now", async () => {
    const { page, view } = await show("refund-two");
    await view.getByRole("heading", { name: "Refund 12 euros?" }).waitFor();
    const { body } = await endpoint.oven.call("GET", "reviews");
    const review = (body as { id: number; digest: string; status: string }[]).find(({ status }) => status === "open"); // cast: the route's response
    const [{ tenantId } = { tenantId: 0 }] = await endpoint.oven.db.query<{ tenantId: number }>(
      `select tenant_id as "tenantId" from agent_workflows where slug = 'refund-two'`,
    );
    const permissions = { reviews: ["read", "decide"] };
    const { key } = await insertKey(endpoint.oven.db, { tenantId, permissions });
    const edit = { action: "edit", digest: review?.digest, data: "1200 euros" };
    const edited = await endpoint.oven.call("POST", `reviews/${review?.id}/decide`, edit, { key });
    expect(edited.status, JSON.stringify(edited.body)).toBe(200);

    await view.getByText("What is proposed has changed").waitFor();
    // What was shown still is.
    await view.getByText("12 euros", { exact: true }).waitFor();
    await view.getByRole("button", { name: "Approve", exact: true }).click();
    await view.getByText("Your decision was not taken").waitFor();
    await shoot(page, "mcp-view-changed");
    expect((await endpoint.oven.call("GET", `reviews/${review?.id}`)).body.status).toBe("open");
    await view.getByRole("button", { name: "Show what is proposed now" }).click();
    await view.getByText("1200 euros", { exact: true }).waitFor();
    await view.getByRole("button", { name: "Approve", exact: true }).click();
    await view.getByRole("heading", { name: "Result" }).waitFor();
    expect((await endpoint.oven.call("GET", `reviews/${review?.id}`)).body).toMatchObject({
      status: "decided",
      action: "approve",
    });
    await page.close();
  });

  it("run nothing of what a run says, and open links by their client", async () => {
    const { page, view, requested } = await show("letter", { dark: true });
    await view.getByText("Dear Ada").waitFor();
    expect(await view.evaluate("[typeof window.hostile, document.querySelectorAll('img').length]")).toEqual([
      "undefined",
      0,
    ]);
    // What turns text around is shown, and turns nothing.
    expect(await view.evaluate("document.body.innerText.includes('\\u202e')")).toBe(false);
    await view.getByRole("link", { name: "the order" }).click();
    await expect
      .poll(async () => (await host.asked(page)).filter(({ method }) => method === "ui/open-link"))
      .toMatchObject([{ params: { url: "https://tracker.example/8841" } }]);
    expect(requested.filter((url) => url.includes("tracker"))).toEqual([]);
    expect(await view.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
    await host.tell(page, "ui/notifications/host-context-changed", { theme: "light" });
    await expect.poll(() => view.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("light");
    // Nothing goes out, and no other script runs.
    const tried = await view.evaluate(`fetch("https://tracker.example/x").then(() => "sent", () => "refused")`);
    expect(tried).toBe("refused");
    await page.close();
  });

  it("show what a model may not decide in the form alone, then the next review, and send what was edited there", async () => {
    const client = await connect("refund-twice");
    const called = await client.callTool({ name: "refund_twice", arguments: {} });
    const { pending } = McpEnvelopeSchema.required({ pending: true }).parse(called.structuredContent);
    const { page, view } = await showIn(client, "answer_review", {
      reviewId: pending.reviewId,
      digest: pending.digest,
      action: "approve",
    });
    // What a model may not decide for its own person is shown to them, and they do.
    await view.getByRole("heading", { name: "Refund 12 euros?" }).waitFor();
    await view.getByRole("button", { name: "Approve" }).click();
    await view.getByRole("heading", { name: "And the voucher?" }).waitFor();
    expect(await view.getByRole("heading", { name: "Steps" }).count()).toBe(0);
    await view.getByRole("button", { name: "Reject" }).click();
    // As on the page: not without a reason.
    expect(await view.getByRole("button", { name: "Reject" }).isDisabled()).toBe(true);
    await view.getByRole("button", { name: "Back" }).click();
    await view.getByRole("button", { name: "Edit" }).click();
    await view.getByLabel("Edited proposal").fill("a voucher of 7 euros");
    await view.getByRole("button", { name: "Approve with edits" }).click();
    await view.getByRole("heading", { name: "Result" }).waitFor();
    await view.getByText("a voucher of 7 euros").waitFor();
    await page.close();
  });

  it("show what is asked to those who may not decide it, without the buttons", async () => {
    const client = await connect("refund", await endpoint.keyWith(["agent-workflows.execute"]));
    const { page, view } = await showIn(client, "refund", {});
    await view.getByRole("heading", { name: "Refund 12 euros?" }).waitFor();
    await view.getByText("It is for anyone who may decide to decide.").waitFor();
    expect(await view.getByRole("button", { name: /Approve|Edit|Reject/ }).count()).toBe(0);
    await page.close();
  });

  it("speak the language of their client", async () => {
    const { page, view } = await show("refund", { locale: "de-AT" });
    await view.getByRole("button", { name: "Genehmigen" }).waitFor();
    expect(await view.evaluate("document.documentElement.lang")).toBe("de");
    await page.close();
  });
});
