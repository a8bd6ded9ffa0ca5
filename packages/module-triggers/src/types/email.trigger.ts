import { OvenError } from "@oven/contract";
import { defineTrigger } from "@oven/module-registry";
import { EMAIL_SAMPLE, type EmailConfig, EmailConfigSchema } from "../mail/email-config.ts";
import { lookAtMailbox } from "../mail/look-at-mailbox.ts";

export const emailTrigger = defineTrigger({
  id: "email",
  title: "E-mail",
  docs: "Starts for each new mail in a mailbox (IMAP). What arrives is {from, to, cc, subject, text, html, attachments, …}.",
  config: EmailConfigSchema,
  sample: EMAIL_SAMPLE,
  arriving: Object.keys(EMAIL_SAMPLE),
  check: checkEmail,
  clock: {
    isSlow: true,
    first: (_config, after) => after,
    fire: lookAtMailbox,
  },
});

function checkEmail({ after, moveTo }: EmailConfig): void {
  if ((after === "move") === (moveTo !== undefined)) return;
  throw new OvenError("INVALID_TRIGGER", "moveTo is for mails that are moved, and then it is needed", {
    status: 400,
    path: "$.config.moveTo",
    fix: "Name the mailbox together with after: move.",
  });
}
