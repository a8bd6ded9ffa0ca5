import type { NotificationRecipient, NotificationRule } from "@oven/contract";

const WAYS = { "in-app": "in the dashboard", email: "by e-mail" } as const;

/** Whom a rule tells, and which way, in words. */
export function toRecipientWords({ channel, recipients }: Pick<NotificationRule, "channel" | "recipients">): string {
  if (channel.type === "webhook") return `webhook to ${URL.parse(channel.url)?.host ?? channel.url}`;
  if (channel.type === "slack") return "Slack";
  return `${recipients.map(toName).join(", ")} · ${WAYS[channel.type]}`;
}

function toName(recipient: NotificationRecipient): string {
  switch (recipient.kind) {
    case "starter":
      return "who started it";
    case "assignees":
      return "who is asked";
    case "role":
      return recipient.role;
    case "user":
      return `user ${recipient.userId}`;
  }
}
