import { freePort } from "@oven/db/testing";
import { startOrdersApi } from "@oven/module-api-connections/testing";
import {
  type ModelReply,
  type ModelServer,
  type RecordedRequest,
  type ScriptedToolCall,
  startModelServer,
} from "@oven/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, seriousIssues } from "./page-checks.ts";
import { byKeyboard } from "./reviewer.ts";
import { signUp } from "./sign-up.ts";

const ORDERS = 120;
const LIMIT = 1_000;
/** Those that are over the limit. */
const DEAR = new Map([
  ["17", 1_250],
  ["60", 4_000],
  ["113", 1_001],
]);
const PROGRAM = `refunded = []
orders = await api_orders_listOrders()
for order in orders["body"]:
    detail = await api_orders_getOrder(id=order["id"])
    total = detail["body"]["total"]
    if total > ${LIMIT}:
        await api_orders_refundOrder(id=order["id"], amount=total - ${LIMIT})
        refunded.append(order["id"])
refunded
`;

const orders = Array.from({ length: ORDERS }, (_, at) => ({
  id: String(at + 1),
  total: DEAR.get(String(at + 1)) ?? 20,
}));
/** What a tool loop is asked to do, a call at a time. */
const CALLS: ScriptedToolCall[] = [
  { name: "api_orders_listOrders", arguments: {} },
  ...orders.flatMap(({ id, total }): ScriptedToolCall[] => [
    { name: "api_orders_getOrder", arguments: { id } },
    ...(total > LIMIT ? [{ name: "api_orders_refundOrder", arguments: { id, amount: total - LIMIT } }] : []),
  ]),
];

/** A model that reads all of its messages with each answer, as models do: about a token for four characters. */
function answer({ body }: RecordedRequest): ModelReply {
  const messages = body.messages as { role: string }[]; // cast: the wire format
  const usage = { input: Math.ceil(JSON.stringify(body).length / 4), output: 40 };
  const isLoop = JSON.stringify(messages).includes("one by one");
  if (!isLoop) return { text: `\`\`\`python\n${PROGRAM}\`\`\``, usage };
  const call = CALLS[messages.filter(({ role }) => role === "tool").length];
  return call === undefined ? { text: "Three were refunded.", usage } : { toolCalls: [call], usage };
}

const isRefunded = ({ nodeType, status }: { nodeType: string; status: string }): boolean =>
  nodeType === "api.orders.refundOrder" && status === "completed";

const workflowOf = (invoke: object) => ({
  initial: "work",
  states: { work: { invoke: { ...invoke, onDone: "done" } }, done: { type: "final", output: "$.work_output" } },
});

describe("a program over the operations of an API", () => {
  let api: Awaited<ReturnType<typeof startOrdersApi>>;
  let model: ModelServer;
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let env: Record<string, string>;
  let port: number;

  beforeAll(async () => {
    api = await startOrdersApi();
    api.orders = orders;
    model = await startModelServer((request) => answer(request), { models: ["house-model"] });
    port = await freePort();
    env = { OVEN_OUTBOUND_ALLOW: api.origin, OPENAI_BASE_URL: model.url };
    oven = await startOven({ bootstrap: true, port, env });
    chromium = await openBrowser();
    ({ page } = await chromium.newPage({ width: 1440, height: 900 }));
    await signUp(page, oven);
    await oven.call("POST", "secrets", {
      ...{ name: "shop-key", value: "key-of-the-shop-0001", hosts: [new URL(api.origin).host] },
    });
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    await model?.close();
    await api?.close();
  });

  const restart = async () => {
    await oven.kill("SIGKILL");
    oven = await startOven({ bootstrap: true, port, env, dataDir: oven.dataDir });
  };
  const runOf = async (id: number) => (await oven.call("GET", `agent-workflow-executions/${id}`)).body;
  const waiting = async () =>
    (await oven.call("GET", `reviews?filter=${encodeURIComponent('{"status":"open"}')}`)).body;
  const nextReview = async () => {
    await expect.poll(async () => (await waiting()).length, { timeout: 60_000 }).toBe(1);
    return (await waiting())[0];
  };
  const refunds = () => api.calls.filter((call) => call.startsWith("POST"));
  const callsOf = async (id: number): Promise<{ nodeType: string; status: string }[]> =>
    (
      await oven.call("GET", `agent-workflow-executions/${id}/nodes?range=${encodeURIComponent("[0,999]")}`)
    ).body.filter(({ nodeType }: { nodeType: string }) => nodeType.startsWith("api.orders."));

  it("whose document an admin imports, and whose operations they approve", async () => {
    await openSetting(page, "Connected APIs");
    await page.getByRole("button", { name: "Connect an API" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "My own API" }).click();
    await dialog.getByLabel("Web address").fill(`${api.origin}/openapi.json`);
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Secret", { exact: false }).first().click();
    await page.getByRole("option", { name: "shop-key" }).click();
    await dialog.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByRole("button", { name: "Pick 4 shown" }).click();
    await page.getByRole("button", { name: "Approve 4…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("4 of 5 operations approved").waitFor();
  });

  it("goes through 120 orders and refunds three, each approved, while the server is killed three times", async () => {
    const made = await oven.call("POST", "agent-workflows", {
      name: "Refund by program",
      definition: workflowOf({
        src: "agent.code",
        input: {
          prompt: "Refund what is over the limit",
          ...{ tools: ["api.orders.*"], model: "openai:house-model", maxCalls: 300 },
        },
      }),
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await page.goto(`${oven.url}/agent-workflows/${made.body.id}/show`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/agent-workflow-executions\/\d+\/show/);
    const id = Number(/executions\/(\d+)/.exec(page.url())?.[1]);
    const reviewer = byKeyboard(page);
    const approveRefund = async (order: string, meanwhile?: () => Promise<void>): Promise<void> => {
      const review = await nextReview();
      expect(review.proposal).toEqual({ id: order, amount: (DEAR.get(order) ?? 0) - LIMIT });
      await meanwhile?.();
      await page.goto(`${oven.url}/reviews/${review.id}`);
      if (order === "17") await shoot(page, "code-over-api-review");
      await page
        .getByRole("button", { name: /^Approve/ })
        .first()
        .waitFor();
      await reviewer.release();
      await expect.poll(async () => (await waiting()).some((one: { id: number }) => one.id === review.id)).toBe(false);
    };
    // Killed while a refund waits for its approval, between two calls, and in the middle of a refund.
    await approveRefund("17", restart);
    await approveRefund("60");
    await expect.poll(async () => (await callsOf(id)).filter(isRefunded).length).toBe(2);
    await restart();
    const neverAnswered = new Promise<Response>(() => {});
    await approveRefund("113", async () => api.next(() => neverAnswered));
    await expect.poll(() => refunds().length).toBe(DEAR.size);
    await restart();
    const question = await nextReview();
    expect(question).toMatchObject({ actions: ["rerun", "supply", "fail"] });
    await page.goto(`${oven.url}/reviews/${question.id}`);
    const called = page.locator("section", { hasText: "The call in question" });
    await called.getByText("113").first().waitFor();
    await page.getByRole("button", { name: "Supply" }).click();
    await page.getByLabel("Output of the step").fill(JSON.stringify({ status: 200, body: { refunded: "113" } }));
    await shoot(page, "code-over-api-lost-call");
    await page.getByRole("button", { name: "Use this output" }).click();
    await expect.poll(async () => (await runOf(id)).status, { timeout: 60_000 }).toBe("completed");
    const run = await runOf(id);
    expect(run.output).toMatchObject({ result: [...DEAR.keys()], calls: CALLS.length, corrections: 0 });
    // Nothing twice, nothing lost, a row for each.
    expect(refunds()).toHaveLength(DEAR.size);
    expect(await callsOf(id)).toHaveLength(CALLS.length);
    await page.goto(`${oven.url}/agent-workflow-executions/${id}/show`);
    await page.getByRole("tab", { name: "Program" }).click();
    await page.getByText("api_orders_refundOrder").first().waitFor();
    await shoot(page, "code-over-api-program");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

  it("costs a small part of what a tool loop does, side by side", async () => {
    const { refundOrder } = Object.fromEntries(
      (await oven.call("GET", "api-connections/1/operations")).body.map((row: { name: string }) => [row.name, row]),
    );
    await oven.call("POST", "api-connections/1/operations/approve", {
      operations: [{ id: refundOrder.id, hash: refundOrder.hash }],
      ...{ effect: "at-most-once", needsApproval: false },
    });
    const made = await oven.call("POST", "agent-workflows", {
      name: "Refund by tool loop",
      definition: workflowOf({
        src: "agent.toolLoop",
        input: {
          prompt: "Refund what is over the limit, one by one",
          ...{ tools: ["api.orders.*"], model: "openai:house-model", maxIterations: 200 },
        },
      }),
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const started = await oven.call("POST", `agent-workflows/${made.body.id}/execute`, { input: {} });
    const { id } = started.body;
    await expect.poll(async () => (await runOf(id)).status, { timeout: 120_000 }).toBe("completed");
    await page.goto(`${oven.url}/agent-workflow-executions`);
    await page.getByText("Refund by tool loop").first().waitFor();
    await shoot(page, "code-over-api-beside-loop");
    const listed = (await oven.call("GET", "agent-workflow-executions")).body;
    const tokensOf = (name: string) => {
      const { tokenUsage } = listed.find(({ workflowName }: { workflowName: string }) => workflowName === name);
      return tokenUsage.input + tokenUsage.output;
    };
    expect(tokensOf("Refund by program") / tokensOf("Refund by tool loop")).toBeLessThan(0.3);
  });
});
