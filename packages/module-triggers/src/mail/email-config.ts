import { SecretNameSchema } from "@oven/contract/access";
import { z } from "zod";

const INBOX = "INBOX";
/** Of a mail that are fetched. */
export const MAX_MAIL_BYTES = 10 * 1_048_576;

export const EmailConfigSchema = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(253)
    .regex(/^[A-Za-z0-9.:-]+$/, "a host such as imap.example.com"),
  port: z.int().min(1).max(65_535).default(993),
  encryption: z
    .enum(["tls", "starttls", "none"])
    .default("tls")
    .describe("starttls for port 143; none only where an operator allows it"),
  user: z.string().min(1).max(320),
  password: SecretNameSchema.describe(
    "Name of a secret that is bound to this host and port, such as imap.example.com:993",
  ),
  mailbox: z.string().min(1).max(500).default(INBOX),
  onlyUnseen: z.boolean().default(true),
  after: z.enum(["seen", "move", "leave"]).default("seen").describe("What becomes of a mail that was taken"),
  moveTo: z.string().min(1).max(500).optional().describe("With move: the mailbox; it must exist"),
  existing: z.enum(["skip", "take"]).default("skip").describe("Mails that lay there when the trigger was saved"),
  maxAttachments: z
    .int()
    .min(0)
    .max(100)
    .default(20)
    .describe("How many of a mail are kept; of others only their names"),
  maxAttachmentBytes: z
    .int()
    .min(1)
    .max(MAX_MAIL_BYTES)
    .default(5 * 1_048_576)
    .describe("Larger ones are not kept"),
  everySeconds: z.int().min(10).max(86_400).default(60),
});
export type EmailConfig = z.output<typeof EmailConfigSchema>;

export const EMAIL_SAMPLE = {
  from: [{ address: "ada@example.com", name: "Ada" }],
  to: [{ address: "support@example.com", name: "" }],
  cc: [],
  subject: "A question",
  text: "Where is my order?",
  html: null,
  date: "2026-01-01T09:00:00.000Z",
  messageId: "<1@example.com>",
  headers: {},
  attachments: [
    {
      filename: "invoice.pdf",
      contentType: "application/pdf",
      sizeBytes: 1_024,
      cid: null,
      inline: false,
      skipped: "only an example",
    },
  ],
  mailbox: "INBOX",
  uid: 1,
};
