import { redactionOf } from "@oven/module-registry";
import type { Transporter } from "nodemailer";
import { type MailPart, toHtml, toPlainText } from "../messages/html-mail.ts";
import { type Outgoing, SendError } from "./outgoing.ts";

/** The operator's mail server. */
export interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  url: string;
  /** `OVEN <oven@example.com>`. */
  from: string;
}

export interface MailSender {
  /**
   * One mail of one or several messages.
   * @throws SendError
   */
  send(to: string, parts: readonly [Outgoing, ...Outgoing[]]): Promise<void>;
  /**
   * Answers the mail of a person.
   * @param inReplyTo the id of that mail, where it has one
   * @throws SendError
   */
  answer(to: string, answer: MailPart & { inReplyTo: string | null }): Promise<void>;
  /**
   * A mail about something that has just happened, whatever the person has subscribed to: it is about their own account.
   * @throws SendError
   */
  tell(to: string, part: MailPart): Promise<void>;
  close(): void;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

export function createMailSender({ url, from }: MailSettings, publicUrl: string): MailSender {
  let opened: Promise<Transporter> | undefined;
  const open = async (): Promise<Transporter> => {
    // Loaded with the first mail: no start waits for it.
    const { createTransport } = await import("nodemailer");
    return createTransport({
      url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // What a message says must not make the mailer read files or addresses.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  const domain = new URL(publicUrl).hostname;
  const clean = withoutPassword(url);
  return {
    async send(to, parts) {
      const [first] = parts;
      const subject = parts.length === 1 ? first.subject : `${parts.length} notifications`;
      try {
        opened ??= open();
        const transport = await opened;
        await transport.sendMail({
          from,
          to: { name: "", address: to },
          ...(first.replyTo === undefined || parts.length > 1 ? {} : { replyTo: first.replyTo }),
          subject,
          text: toPlainText(parts),
          html: toHtml(subject, parts),
          // The same at every attempt: a second copy, after a crash at the wrong moment, can be told by it.
          messageId: `<oven-${first.tenantId}-${first.id}@${domain}>`,
          date: first.createdAt,
          headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
        });
      } catch (error) {
        throw toSendError(error, clean);
      }
    },
    async answer(to, { inReplyTo, ...part }) {
      try {
        opened ??= open();
        const transport = await opened;
        await transport.sendMail({
          from,
          to: { name: "", address: to },
          subject: part.subject,
          text: toPlainText([part]),
          html: toHtml(part.subject, [part]),
          ...(inReplyTo === null ? {} : { inReplyTo, references: inReplyTo }),
          // What answers programs must not answer this (RFC 3834).
          headers: { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" },
        });
      } catch (error) {
        throw toSendError(error, clean);
      }
    },
    async tell(to, part) {
      try {
        opened ??= open();
        const transport = await opened;
        await transport.sendMail({
          from,
          to: { name: "", address: to },
          subject: part.subject,
          text: toPlainText([part]),
          html: toHtml(part.subject, [part]),
          headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
        });
      } catch (error) {
        throw toSendError(error, clean);
      }
    },
    close: () => void opened?.then((transport) => transport.close()),
  };
}

/** What a mail server says of the mail, rather than of the connection, it will say again. */
function toSendError(error: unknown, clean: (text: string) => string): SendError {
  const message = error instanceof Error ? error.message : String(error);
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }; // cast: nodemailer's errors carry them
  const ofMail = code === "EENVELOPE" || code === "EMESSAGE";
  const final = ofMail && typeof responseCode === "number" && responseCode >= 500;
  return new SendError(clean(message), final, { cause: error });
}

/** A server may well answer with the sign-in that it refused, in base64 as it came. */
function withoutPassword(url: string): (text: string) => string {
  const password = decodeURIComponent(URL.parse(url)?.password ?? "");
  return redactionOf(password === "" ? {} : { password });
}
