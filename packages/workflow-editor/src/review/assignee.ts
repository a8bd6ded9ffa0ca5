import { t } from "@oven/i18n";

/**
 * As people read it: `support-lead` for `role:support-lead`, "you" for the reader.
 * @param me the reader's user id; undefined where it is not known
 */
export function toAudience(assignees: readonly string[], me?: number): string {
  if (assignees.length === 0) return t("anyone who may decide");
  return assignees.map((entry) => (entry === `user:${me}` ? t("you") : toName(entry))).join(", ");
}

function toName(assignee: string): string {
  const name = assignee.replace(/^(role|user):/, "");
  return /^user:\d+$/.test(assignee) ? t("user {{id}}", { id: name }) : name;
}

/** What somebody typed as an assignee: an e-mail or a number is a user, anything else a role. */
export function toAssignee(text: string): string {
  const name = text.trim();
  if (/^(user|role):/.test(name)) return name;
  return name.includes("@") || /^\d+$/.test(name) ? `user:${name}` : `role:${name}`;
}
