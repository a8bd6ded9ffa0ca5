import type { JsonObject } from "@oven/contract";
import type { NotificationKind } from "@oven/contract/system";
import type { MailPart } from "../messages/html-mail.ts";

/** A message on its way out. Its links are addresses. */
export interface Outgoing extends MailPart {
  /** Of its delivery: the same at every attempt. */
  id: number;
  tenantId: number;
  kind: NotificationKind;
  facts: JsonObject;
  createdAt: Date;
  /** The address to which a reply goes; absent: replies are not read. */
  replyTo?: string;
}

/** A message that was not taken. */
export class SendError extends Error {
  /** True: another attempt would meet the same. */
  readonly final: boolean;
  /** What the service asked to wait for. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, final: boolean, options: ErrorOptions & { retryAfterMs?: number | undefined } = {}) {
    super(message, options);
    this.name = "SendError";
    this.final = final;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The `Retry-After` of an answer in milliseconds, an hour at most. */
export function readRetryAfter(headers: Headers): number | undefined {
  const seconds = headers.get("retry-after");
  return seconds !== null && /^\d{1,9}$/.test(seconds) ? Math.min(Number(seconds), 3_600) * 1_000 : undefined;
}
