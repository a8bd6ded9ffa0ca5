import { defineTrigger } from "@oven/module-registry";
import { checkWebhook, WEBHOOK_SAMPLE, WebhookConfigSchema } from "../webhooks/webhook-config.ts";

export const webhookTrigger = defineTrigger({
  id: "webhook",
  title: "Webhook",
  docs: "Starts when something is posted to /api/hooks/[token]. What arrives is {body, headers, query, method}.",
  config: WebhookConfigSchema,
  sample: WEBHOOK_SAMPLE,
  arriving: Object.keys(WEBHOOK_SAMPLE),
  hasToken: true,
  check: checkWebhook,
});
