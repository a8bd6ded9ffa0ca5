import type { JsonObject } from "../../../../packages/contract/src/index.ts";
import type { TestOven } from "../../../../packages/testing/src/index.ts";
import { end, flow, http, takes } from "../definition-parts.ts";

/*
 * What an installation has beside the workflow that is built: tables, a workflow that others call, a secret. Builders see it, and acceptance runs use it.
 */

const SECRET_NAME = "crm-key";
/** Must never reach a model. */
export const SECRET_VALUE = "bench-secret-5d1f0c77a9e24b86";

const text = (name: string, more: JsonObject = {}): JsonObject => ({ name, type: "text", ...more });
const number = (name: string, more: JsonObject = {}): JsonObject => ({ name, type: "number", ...more });

export const TABLES: Record<string, JsonObject[]> = {
  contacts: [text("email", { unique: true, required: true }), text("name"), text("status")],
  seen: [text("message_id", { unique: true, required: true }), text("title"), text("summary")],
  stock: [text("sku", { unique: true, required: true }), number("quantity"), number("price")],
  "purchase-orders": [text("number", { unique: true, required: true }), text("vendor"), number("total")],
  expenses: [text("person"), number("amount"), text("status")],
};

/** What `core.callWorkflow` finds under the slug `notify-customer`. */
const NOTIFY_CUSTOMER = flow(takes({ recipient: "string", text: "string" }), {
  send: http("POST", "https://mail.example.com/send", "sent", {
    body: { to: "$.trigger.recipient", text: "$.trigger.text" },
  }),
  sent: end({ sent: true, recipient: "$.trigger.recipient" }),
});

/**
 * Makes tables, the workflow and the secret.
 *
 * @param toDefinition how addresses become those of this installation
 * @throws Error where the installation refuses any of it
 */
export async function prepareWorld(
  oven: TestOven,
  { secretHosts, toDefinition }: { secretHosts: string[]; toDefinition: (definition: JsonObject) => JsonObject },
): Promise<void> {
  for (const [slug, columns] of Object.entries(TABLES))
    await must(oven, "POST", "tables", { name: slug, slug, columns });
  await must(oven, "POST", "secrets", { name: SECRET_NAME, value: SECRET_VALUE, hosts: secretHosts });
  const definition = toDefinition(NOTIFY_CUSTOMER);
  await must(oven, "POST", "agent-workflows", { name: "Notify a customer", slug: "notify-customer", definition });
}

/** The body of an answer. */
export async function must(oven: TestOven, method: string, path: string, body?: unknown, key?: string) {
  const answer = await oven.call(method, path, body, key === undefined ? {} : { key });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
