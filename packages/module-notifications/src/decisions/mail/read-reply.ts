import type { MailFields } from "@oven/module-registry";

/** What a person has replied; undefined: not one of the words that are understood. */
export type Reply = { action: "approve" } | { action: "reject"; reason: string };

/** What a mail says that decides. */
export const HOW_TO_REPLY =
  "Reply to this mail with the one word “approve”, or with “reject: ” and the reason, in its first line. Your reply counts once, and only from your own address.";

const LONGEST_REASON = 2_000;

/** Reads the first line that the person has written themselves. What stands below it, or was quoted, says nothing. */
export function readReply(text: string | null): Reply | undefined {
  const first = (text ?? "")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => line !== "");
  // A quoted line first: the answer stands below, or there is none.
  if (first === undefined || first.startsWith(">")) return undefined;
  if (/^["“']?approve["”']?[.!]?$/i.test(first)) return { action: "approve" };
  const [, reason = ""] = /^["“']?reject["”']?\s*:\s*(.+)$/i.exec(first) ?? [];
  return reason.trim() === "" ? undefined : { action: "reject", reason: reason.trim().slice(0, LONGEST_REASON) };
}

/** Whether a program sent it: an absence note, a list, a report of what could not be delivered. RFC 3834, RFC 2919. */
export function isAutomatic({ headers, from }: MailFields): boolean {
  const automatic = headers["auto-submitted"]?.toLowerCase() ?? "no";
  const precedence = headers.precedence?.toLowerCase() ?? "";
  if (automatic !== "no" || headers["list-id"] !== undefined) return true;
  if (["bulk", "junk", "list", "auto_reply"].includes(precedence)) return true;
  return from.length !== 1 || /^(mailer-daemon|postmaster)@/i.test(from[0]?.address ?? "");
}

const CODE = /^[0-9a-f]{32}$/;

/** `reviews+CODE@example.com` */
export function toCodeAddress(address: string, code: string): string {
  const at = address.lastIndexOf("@");
  return `${address.slice(0, at)}+${code}${address.slice(at)}`;
}

/** The code in an address to which a mail went. */
export function codeIn({ to, cc }: MailFields, address: string): string | undefined {
  const at = address.lastIndexOf("@");
  const [start, end] = [`${address.slice(0, at)}+`.toLowerCase(), address.slice(at).toLowerCase()];
  for (const given of [...to, ...cc].map((one) => one.address.toLowerCase())) {
    if (!given.startsWith(start) || !given.endsWith(end)) continue;
    const code = given.slice(start.length, -end.length);
    if (CODE.test(code)) return code;
  }
  return undefined;
}
