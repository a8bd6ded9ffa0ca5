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

  constructor(message: string, final: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = "SendError";
    this.final = final;
  }
}
