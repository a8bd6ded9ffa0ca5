import type { Page } from "playwright-core";
import type { OvenProcess } from "./oven-process.ts";

const FAILS = {
  initial: "fail",
  states: { fail: { invoke: { src: "core.fail", input: { message: "No paper" } } } },
};
/** The same rows with the same ids each time, one kind of each. */
const ROWS: readonly [path: string, body: object][] = [
  ["agent-workflows/support-reply/execute?wait=30", { input: { message: "Where is my order 8841?", orderId: 8841 } }],
  ["agent-workflows/order-triage/execute?wait=30", { input: { message: "My parcel is late", orderId: 8841 } }],
  ["workflows", { name: "Fails", definition: FAILS, tags: ["beta", "support"] }],
  ["workflows/fails/execute?wait=30", {}],
  [
    "agents",
    {
      name: "Order desk",
      slug: "order-desk",
      description: "Looks up orders.",
      systemPrompt: "You look up orders.",
      model: "simulated:shop-assistant",
      toolBindings: ["orders.get"],
    },
  ],
  ["agent-memory", { agentId: 1, key: "drink", content: "Ada likes tea" }],
  ["vector-stores", { name: "House rules", slug: "house-rules", embeddingModel: "local:use-lite" }],
  ["vector-stores/1/documents", { title: "Opening hours", text: "The shop is open from nine to five." }],
  ["secrets", { name: "shop-api", value: "not-shown", hosts: ["shop.example.com"] }],
  [
    "triggers",
    {
      type: "schedule",
      name: "Every morning",
      target: { kind: "agent-workflow", workflowId: 1 },
      config: { cron: "0 9 * * *", timezone: "Europe/Vienna" },
      enabled: false,
    },
  ],
  [
    "notification-rules",
    {
      name: "Failures to the owners",
      events: ["run.failed"],
      channel: { type: "in-app" },
      recipients: [{ kind: "role", role: "owner" }],
      enabled: false,
    },
  ],
];
/** What belongs to whoever makes it. */
const OWN_ROWS: readonly [path: string, body: object][] = [
  ["chat-sessions", { target: { kind: "agent", id: "order-desk" } }],
  ["chat-sessions/1/messages", { message: "Where is my order 8841?" }],
];

/** What the screens of `SCREENS` show: needs the bootstrap key, and a page of somebody signed in. */
export async function seedScreens(oven: OvenProcess, { request }: Page): Promise<void> {
  for (const [path, row] of ROWS) {
    const { status, body } = await oven.call("POST", path, row);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  }
  for (const [path, data] of OWN_ROWS) {
    const answer = await request.post(`${oven.url}/api/${path}`, { data, headers: { origin: oven.url } });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  }
}
