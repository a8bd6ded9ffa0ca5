import { createHmac } from "node:crypto";
import type { ServiceMap } from "@oven/module-registry";
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
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const headers: Record<string, string> = { "webhook-id": messageId, "webhook-timestamp": timestamp };
  if (secret !== null) {
    const key = await secrets.use(tenantId, `secret:${secret.$secret}`, new URL(url).host).catch((error: unknown) => {
      throw toSendError(error);
    });
    headers["webhook-signature"] = signMessage(key, messageId, timestamp, body);
  }
  await postMessage(outbound, url, body, headers);
}

/** `v1,<base64>` over `id.timestamp.body`. A key that begins with `whsec_` is base64 after that; any other is taken as text. */
function signMessage(key: string, messageId: string, timestamp: string, body: string): string {
  const bytes = key.startsWith("whsec_") ? Buffer.from(key.slice("whsec_".length), "base64") : Buffer.from(key);
  const signature = createHmac("sha256", bytes).update(`${messageId}.${timestamp}.${body}`).digest("base64");
  return `v1,${signature}`;
}
