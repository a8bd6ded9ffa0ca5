import { type ServiceMap, standardHeaders } from "@oven/module-registry";
import type { Outgoing } from "./outgoing.ts";
import { postMessage, toSendError } from "./post-message.ts";

export interface WebhookSettings {
  url: string;
  secret: { $secret: string } | null;
}

/** Posts a message, signed as https://www.standardwebhooks.com describes. @throws SendError */
export async function sendWebhook(
  { outbound, secrets }: Pick<ServiceMap, "outbound" | "secrets">,
  { url, secret }: WebhookSettings,
  message: Outgoing,
  now: Date,
): Promise<void> {
  const { id, tenantId, kind, subject, text, link, facts, createdAt } = message;
  const body = JSON.stringify({
    type: kind,
    timestamp: createdAt.toISOString(),
    data: { subject, text, link, ...facts },
  });
  const messageId = `msg_${tenantId}_${id}`;
  const unsigned = { "webhook-id": messageId, "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)) };
  if (secret === null) return postMessage(outbound, url, body, unsigned);
  const key = await secrets.use(tenantId, `secret:${secret.$secret}`, new URL(url).host).catch((error: unknown) => {
    throw toSendError(error);
  });
  await postMessage(outbound, url, body, standardHeaders(key, messageId, now, body));
}
