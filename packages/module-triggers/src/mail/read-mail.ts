import type { Json, JsonObject } from "@oven/contract";
import type { AddressObject, ParsedMail } from "mailparser";
import { type AttachmentsOf, keepAttachments } from "./keep-attachments.ts";

/** Characters of each body that are handed on. */
const MAX_TEXT = 262_144;
/** Those that rules and answers need; the rest tells how the mail travelled. */
const HEADERS = ["reply-to", "in-reply-to", "references", "list-id", "auto-submitted", "precedence", "x-priority"];

/** What a mail's source says: addresses, texts, and what is attached, whose content is kept apart. */
export async function readMail(
  source: Buffer,
  where: { mailbox: string; uid: number; size: number },
  keeping: AttachmentsOf,
): Promise<JsonObject> {
  const { simpleParser } = await import("mailparser");
  const mail = await simpleParser(source, { skipImageLinks: true, skipTextToHtml: true });
  // A mail that is too large is read as far as it was fetched.
  const isCut = where.size > source.byteLength;
  return {
    from: toAddresses(mail.from),
    to: toAddresses(mail.to),
    cc: toAddresses(mail.cc),
    subject: mail.subject ?? "",
    text: cut(mail.text),
    html: cut(mail.html === false ? undefined : mail.html),
    date: mail.date?.toISOString() ?? null,
    messageId: mail.messageId ?? null,
    headers: toHeaders(mail),
    attachments: await keepAttachments(mail.attachments, { ...keeping, isCut }),
    mailbox: where.mailbox,
    uid: where.uid,
    ...(isCut ? { truncated: true } : {}),
  };
}

function toAddresses(given: AddressObject | AddressObject[] | undefined): Json[] {
  const lists = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return lists.flatMap(({ value }) =>
    // A group has its members inside.
    value.flatMap((one) => (one.group ?? [one]).map(({ address, name }) => ({ address: address ?? "", name }))),
  );
}

function toHeaders({ headerLines }: ParsedMail): JsonObject {
  const kept: JsonObject = {};
  for (const { key, line } of headerLines)
    if (HEADERS.includes(key))
      kept[key] = line
        .slice(line.indexOf(":") + 1)
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, 2_000);
  return kept;
}

function cut(text: string | undefined): string | null {
  return text === undefined ? null : text.slice(0, MAX_TEXT);
}
