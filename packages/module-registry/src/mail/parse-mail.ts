import type { JsonObject } from "@oven/contract";
import type { AddressObject, Attachment, ParsedMail } from "mailparser";

/** Characters of each body that are handed on. */
const MAX_TEXT = 262_144;
/** Those that rules and answers need; the rest tells how the mail travelled. */
const HEADERS = ["reply-to", "in-reply-to", "references", "list-id", "auto-submitted", "precedence", "x-priority"];

/** An address as a mail names it. */
export interface MailAddress extends JsonObject {
  address: string;
  name: string;
}

/** What a mail's source says: addresses, texts and some headers by their lower-case names. */
export interface MailFields extends JsonObject {
  from: MailAddress[];
  to: MailAddress[];
  cc: MailAddress[];
  subject: string;
  text: string | null;
  html: string | null;
  date: string | null;
  messageId: string | null;
  headers: { [name: string]: string };
}

/** Reads the source of a mail. A text that is only there as HTML is read as text, too. */
export async function parseMail(source: Buffer): Promise<{ fields: MailFields; attachments: readonly Attachment[] }> {
  const { simpleParser } = await import("mailparser");
  const mail = await simpleParser(source, { skipImageLinks: true, skipTextToHtml: true });
  const fields = {
    from: toAddresses(mail.from),
    to: toAddresses(mail.to),
    cc: toAddresses(mail.cc),
    subject: mail.subject ?? "",
    text: cut(mail.text),
    html: cut(mail.html === false ? undefined : mail.html),
    date: mail.date?.toISOString() ?? null,
    messageId: mail.messageId ?? null,
    headers: toHeaders(mail),
  };
  return { fields, attachments: mail.attachments };
}

function toAddresses(given: AddressObject | AddressObject[] | undefined): MailAddress[] {
  const lists = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return lists.flatMap(({ value }) =>
    // A group has its members inside.
    value.flatMap((one) => (one.group ?? [one]).map(({ address, name }) => ({ address: address ?? "", name }))),
  );
}

function toHeaders({ headerLines }: ParsedMail): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { key, line } of headerLines)
    if (HEADERS.includes(key))
      fields[key] = line
        .slice(line.indexOf(":") + 1)
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, 2_000);
  return fields;
}

function cut(text: string | undefined): string | null {
  return text === undefined ? null : text.slice(0, MAX_TEXT);
}
