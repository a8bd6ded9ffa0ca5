import { t } from "@oven/i18n";

/** As people read it: `support-lead` for `role:support-lead`. */
export function toAudience(assignees: readonly string[]): string {
  return assignees.length === 0
    ? t("anyone who may decide")
    : assignees.map((entry) => entry.replace(/^(role|user):/, "")).join(", ");
}

/** What somebody typed as an assignee: an e-mail or a number is a user, anything else a role. */
export function toAssignee(text: string): string {
  const name = text.trim();
  if (/^(user|role):/.test(name)) return name;
  return name.includes("@") || /^\d+$/.test(name) ? `user:${name}` : `role:${name}`;
}
