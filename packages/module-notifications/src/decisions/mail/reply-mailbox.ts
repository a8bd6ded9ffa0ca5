import { OvenError } from "@oven/contract";
import { type EnvironmentVariable, type ImapServer, type RuntimeEnvironment, redactionOf } from "@oven/module-registry";
import { z } from "zod";

/** The operator's mailbox to which people reply. */
export interface ReplyMailbox {
  server: ImapServer;
  user: string;
  password: string;
  folder: string;
  /** Of replies, without a code: `reviews@example.com`. */
  address: string;
  /** A line of a log, without the password. */
  clean(text: string): string;
}

const MAILBOX = "OVEN_REVIEW_MAILBOX";
const ADDRESS = "OVEN_REVIEW_ADDRESS";
const PORTS: Record<string, number> = { "imaps:": 993, "imap:": 143 };

export const replyVariables: EnvironmentVariable[] = [
  {
    name: MAILBOX,
    description:
      "mailbox whose mails decide [reviews](docs/guides/decide-in-messengers.md#mail): `imaps://user:password@host:993/INBOX`, or `imap://…` for STARTTLS; none: replies decide nothing",
    schema: z.url({ protocol: /^imaps?$/, error: "an address such as imaps://user:password@host:993/INBOX" }),
    isSecret: true,
  },
  {
    name: ADDRESS,
    description: "address of that mailbox; it must take `reviews+anything@…` as well as `reviews@…`",
    // A code and the sign before it must fit into the 64 characters of a local part (RFC 5321).
    schema: z.email().regex(/^[^+@]{1,31}@/, "an address whose part before the @ has no + and at most 31 characters"),
  },
];

/**
 * The mailbox that an operator has set. Both variables or none.
 * @param hasMailServer whether replies can be answered
 * @throws OvenError INVALID_ENVIRONMENT
 */
export function readReplyMailbox(
  { variables = {}, outboundAllow }: Pick<RuntimeEnvironment, "variables" | "outboundAllow">,
  hasMailServer: boolean,
): ReplyMailbox | undefined {
  const { [MAILBOX]: mailbox, [ADDRESS]: address } = variables;
  if (mailbox === undefined && address === undefined) return undefined;
  if (mailbox === undefined || address === undefined)
    throw new OvenError(
      "INVALID_ENVIRONMENT",
      `${mailbox === undefined ? MAILBOX : ADDRESS}: replies need ${MAILBOX} and ${ADDRESS}`,
      {
        fix: "Set both, or none of them.",
      },
    );
  if (!hasMailServer)
    throw new OvenError("INVALID_ENVIRONMENT", `${MAILBOX}: replies are answered by mail, which needs OVEN_SMTP_URL`, {
      fix: `Set OVEN_SMTP_URL and OVEN_MAIL_FROM, or unset ${MAILBOX}.`,
    });
  const url = new URL(mailbox);
  const port = url.port === "" ? (PORTS[url.protocol] ?? 993) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isPlain = outboundAllow.includes(`http://${url.hostname}:${port}`);
  const password = decodeURIComponent(url.password);
  return {
    server: { host, port, encryption: url.protocol === "imaps:" ? "tls" : isPlain ? "none" : "starttls" },
    user: decodeURIComponent(url.username),
    password,
    folder: decodeURIComponent(url.pathname.slice(1)) || "INBOX",
    address,
    clean: redactionOf(password === "" ? {} : { [MAILBOX]: password }),
  };
}
