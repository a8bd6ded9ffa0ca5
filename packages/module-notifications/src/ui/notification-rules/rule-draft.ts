import type {
  CreateNotificationRule,
  NotificationChannel,
  NotificationKind,
  NotificationRecipient,
  NotificationRule,
} from "@oven/contract/system";

/** A rule as its form holds it: every field is there, whichever channel is chosen. */
export interface RuleDraft {
  name: string;
  enabled: boolean;
  events: NotificationKind[];
  /** `all`, `agent-workflow:7` or `workflow:12`. */
  scope: string;
  channel: NotificationChannel["type"];
  url: string;
  secret: string;
  host: string;
  /** Of Slack's API. */
  slackHost: string;
  signingSecret: string;
  /** In Slack or Teams. */
  conversation: string;
  appId: string;
  directory: string;
  serviceUrl: string;
  loginHost: string;
  keysHost: string;
  starter: boolean;
  assignees: boolean;
  roles: string[];
  users: number[];
  subject: string;
  text: string;
  quiet: boolean;
  quietFrom: string;
  quietTo: string;
  timezone: string;
}

export const NEW_RULE: RuleDraft = {
  name: "",
  enabled: true,
  events: ["run.failed"],
  scope: "all",
  channel: "email",
  url: "",
  secret: "",
  host: "hooks.slack.com",
  slackHost: "slack.com",
  signingSecret: "",
  conversation: "",
  appId: "",
  directory: "",
  serviceUrl: "https://smba.trafficmanager.net/teams",
  loginHost: "login.microsoftonline.com",
  keysHost: "login.botframework.com",
  starter: true,
  assignees: false,
  roles: [],
  users: [],
  subject: "",
  text: "",
  quiet: false,
  quietFrom: "22:00",
  quietTo: "07:00",
  timezone: "UTC",
};

export function toDraft(rule: NotificationRule): RuleDraft {
  const { channel, recipients, scope, quietHours } = rule;
  return {
    ...NEW_RULE,
    name: rule.name,
    enabled: rule.enabled,
    events: rule.events,
    scope: scope.kind === "all" ? "all" : `${scope.kind}:${scope.workflowId}`,
    channel: channel.type,
    ...(channel.type === "webhook" ? { url: channel.url, secret: channel.secret?.$secret ?? "" } : {}),
    ...(channel.type === "slack" ? { secret: channel.url.$secret, host: channel.host } : {}),
    ...(channel.type === "slack-app"
      ? {
          secret: channel.token.$secret,
          signingSecret: channel.signingSecret.$secret,
          conversation: channel.conversation,
          slackHost: channel.host,
        }
      : {}),
    ...(channel.type === "teams" ? ofTeams(channel) : {}),
    starter: recipients.some(({ kind }) => kind === "starter"),
    assignees: recipients.some(({ kind }) => kind === "assignees"),
    roles: recipients.flatMap((one) => (one.kind === "role" ? [one.role] : [])),
    users: recipients.flatMap((one) => (one.kind === "user" ? [one.userId] : [])),
    subject: rule.subject ?? "",
    text: rule.text ?? "",
    timezone: rule.timezone,
    ...(quietHours === null ? {} : { quiet: true, quietFrom: quietHours.from, quietTo: quietHours.to }),
  };
}

function ofTeams(channel: Extract<NotificationChannel, { type: "teams" }>): Partial<RuleDraft> {
  const { type: _type, password, ...same } = channel;
  return { ...same, secret: password.$secret };
}

/** Whether it goes to people, rather than to an address. */
export function goesToPeople({ channel }: Pick<RuleDraft, "channel">): boolean {
  return channel === "in-app" || channel === "email";
}

export function toBody(draft: RuleDraft): CreateNotificationRule {
  const { name, enabled, events, subject, text, timezone } = draft;
  return {
    name,
    enabled,
    events,
    scope: toScope(draft.scope),
    channel: toChannel(draft),
    recipients: goesToPeople(draft) ? toRecipients(draft) : [],
    subject: subject.trim() === "" ? null : subject,
    text: text.trim() === "" ? null : text,
    quietHours: draft.quiet && !goesToPeople(draft) ? { from: draft.quietFrom, to: draft.quietTo } : null,
    timezone,
  };
}

function toScope(scope: string): CreateNotificationRule["scope"] {
  const [kind, id] = scope.split(":");
  if (kind !== "workflow" && kind !== "agent-workflow") return { kind: "all" };
  return { kind, workflowId: Number(id) };
}

function toChannel(draft: RuleDraft): NotificationChannel {
  const { channel, secret, conversation } = draft;
  switch (channel) {
    case "webhook":
      return { type: channel, url: draft.url, secret: secret === "" ? null : { $secret: secret } };
    case "slack":
      return { type: channel, url: { $secret: secret }, host: draft.host };
    case "slack-app": {
      const signingSecret = { $secret: draft.signingSecret };
      return { type: channel, token: { $secret: secret }, signingSecret, conversation, host: draft.slackHost };
    }
    case "teams": {
      const { appId, directory, serviceUrl, loginHost, keysHost } = draft;
      const password = { $secret: secret };
      return { type: channel, appId, directory, password, conversation, serviceUrl, loginHost, keysHost };
    }
    default:
      return { type: channel };
  }
}

function toRecipients({ starter, assignees, roles, users }: RuleDraft): NotificationRecipient[] {
  return [
    ...(starter ? [{ kind: "starter" as const }] : []),
    ...(assignees ? [{ kind: "assignees" as const }] : []),
    ...roles.map((role) => ({ kind: "role" as const, role })),
    ...users.map((userId) => ({ kind: "user" as const, userId })),
  ];
}
