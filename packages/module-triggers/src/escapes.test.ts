import { isOvenError, type JsonObject } from "@oven/contract";
import { ExpressionSyntaxError } from "@oven/engine";
import { sweepEscapes } from "@oven/engine/testing";
import { expect, it } from "vitest";
import { judge, type Rules } from "./deliveries/judge.ts";
import { customAnswer } from "./webhooks/answer-webhook.ts";
import { checkWebhook, type WebhookConfig, WebhookConfigSchema } from "./webhooks/webhook-config.ts";

const PAYLOAD = { text: "plain", list: [{ x: 1 }] };
const NO_RULES: Rules = { filter: null, input: null, shaping: null };
const decide = (rules: Partial<Rules>) =>
  judge({ ...NO_RULES, ...rules }, { payload: PAYLOAD, arrivedAt: new Date(0) });
const condition = (params: { key: string; operator: "exists" | "matches"; value?: string }): Partial<Rules> => ({
  filter: { type: "condition", params },
});

/** A run's answer, as somebody who posted to a webhook gets it. */
async function answer(given: JsonObject): Promise<unknown> {
  const config = WebhookConfigSchema.parse({ response: { mode: "custom", ...given } });
  checkWebhook(config);
  const run = { id: 1, input: PAYLOAD, output: PAYLOAD };
  // cast: the mode is given above
  const response = customAnswer(config.response as Extract<WebhookConfig["response"], { mode: "custom" }>, run);
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

const FIELDS: Record<string, (text: string) => unknown> = {
  "a filter in CEL": (text) => decide({ filter: { type: "cel", params: { expression: text } } }),
  "a filter's key": (text) => decide(condition({ key: text, operator: "exists" })),
  "a filter's pattern": (text) => decide(condition({ key: "$.text", operator: "matches", value: text })),
  "an input": (text) => decide({ input: { x: text } }),
  "an input's key": (text) => decide({ input: { [text]: "$.text" } }),
  "an input in CEL": (text) => decide({ input: { x: { $cel: text } } }),
  "a webhook's status": (text) => answer({ status: text.slice(0, 500) }),
  "a webhook's header": (text) => answer({ headers: { "x-said": text } }),
  "a webhook's body": (text) => answer({ body: text }),
  "a webhook's body in CEL": (text) => answer({ body: { said: { $cel: text } } }),
  "the path of a delivery's id": (text) => checkWebhook(WebhookConfigSchema.parse({ deliveryId: text.slice(0, 200) })),
};

it.each(Object.entries(FIELDS))("texts that reach for the machine reach nothing from %s", async (name, compute) => {
  const { reached, refused } = await sweepEscapes(compute, { calculates: name.includes("CEL") });
  expect(reached).toEqual([]);
  const isClear = (error: unknown) =>
    isOvenError(error) ||
    error instanceof ExpressionSyntaxError ||
    (name.includes("header") && error instanceof TypeError);
  expect(refused.filter(({ error }) => !isClear(error))).toEqual([]);
});
