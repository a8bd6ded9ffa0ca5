import type { JsonObject } from "@oven/contract";
import { parseMail } from "@oven/module-registry";
import { type AttachmentsOf, keepAttachments } from "./keep-attachments.ts";

/** What a mail's source says: addresses, texts, and what is attached, whose content is kept apart. */
export async function readMail(
  source: Buffer,
  where: { mailbox: string; uid: number; size: number },
  keeping: AttachmentsOf,
): Promise<JsonObject> {
  const { fields, attachments } = await parseMail(source);
  // A mail that is too large is read as far as it was fetched.
  const isCut = where.size > source.byteLength;
  return {
    ...fields,
    attachments: await keepAttachments(attachments, { ...keeping, isCut }),
    mailbox: where.mailbox,
    uid: where.uid,
    ...(isCut ? { truncated: true } : {}),
  };
}
