import type { NotificationRecipient, NotificationRule } from "@oven/contract/system";
import { t } from "@oven/i18n";

const WAYS = { "in-app": t("in the dashboard"), email: "by e-mail" } as const;

/** Whom a rule tells, and which way, in words. */
export function toRecipientWords({ channel, recipients }: Pick<NotificationRule, "channel" | "recipients">): string {
  if (channel.type === "webhook")
    return t("webhook to {{host}}", { host: URL.parse(channel.url)?.host ?? channel.url });
  if (channel.type === "slack") return "Slack";
  if (channel.type === "slack-app")
    return t("Slack, {{conversation}}, with buttons", { conversation: channel.conversation });
  if (channel.type === "teams") return "Microsoft Teams";
  return `${recipients.map(toName).join(", ")} · ${WAYS[channel.type]}`;
}

function toName(recipient: NotificationRecipient): string {
  switch (recipient.kind) {
    case "starter":
      return t("who started it");
    case "assignees":
      return t("who is asked");
    case "role":
      return recipient.role;
    case "user":
      return t("user {{userId}}", { userId: recipient.userId });
  }
}
