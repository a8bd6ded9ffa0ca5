import type { Bot, BotLanguage, ChatTargetKind } from "@oven/contract/agent";

/** A bot as its dialog has it; texts as they are typed. */
export interface BotDraft {
  name: string;
  enabled: boolean;
  messenger: Bot["connection"]["type"];
  token: string;
  signingSecret: string;
  host: string;
  appId: string;
  directory: string;
  password: string;
  serviceUrl: string;
  loginHost: string;
  keysHost: string;
  /** `agent:3` */
  target: string;
  who: "linked" | "everyone";
  permissions: string;
  mentions: boolean;
  direct: boolean;
  channels: string;
  perHour: string;
  /** `setting`: that of the tenant. */
  language: BotLanguage | "setting";
}

export function toDraft(bot: Bot | null): BotDraft {
  const slack = bot?.connection.type === "slack-app" ? bot.connection : undefined;
  const teams = bot?.connection.type === "teams" ? bot.connection : undefined;
  return {
    name: bot?.name ?? "",
    enabled: bot?.enabled ?? true,
    messenger: bot?.connection.type ?? "slack-app",
    token: slack?.token.$secret ?? "",
    signingSecret: slack?.signingSecret.$secret ?? "",
    host: slack?.host ?? "slack.com",
    appId: teams?.appId ?? "",
    directory: teams?.directory ?? "",
    password: teams?.password.$secret ?? "",
    serviceUrl: teams?.serviceUrl ?? "https://smba.trafficmanager.net/teams",
    loginHost: teams?.loginHost ?? "login.microsoftonline.com",
    keysHost: teams?.keysHost ?? "login.botframework.com",
    target: bot === null ? "" : `${bot.target.kind}:${bot.target.id}`,
    who: bot === null || bot.guests === null ? "linked" : "everyone",
    permissions: bot?.guests?.permissions.join("\n") ?? "",
    mentions: bot?.listens.mentions ?? true,
    direct: bot?.listens.direct ?? true,
    channels: bot?.listens.channels.join("\n") ?? "",
    perHour: String(bot?.perHour ?? 30),
    language: bot?.language ?? "setting",
  };
}

/** What is sent. */
export function toBody(draft: BotDraft): object {
  const { messenger: type, host, serviceUrl, loginHost, keysHost } = draft;
  const secret = (name: string) => ({ $secret: name.trim() });
  const [kind = "agent", id = ""] = draft.target.split(":");
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    connection:
      type === "slack-app"
        ? { type, token: secret(draft.token), signingSecret: secret(draft.signingSecret), host: host.trim() }
        : {
            ...{ type, appId: draft.appId.trim(), directory: draft.directory.trim(), password: secret(draft.password) },
            ...{ serviceUrl: serviceUrl.trim(), loginHost: loginHost.trim(), keysHost: keysHost.trim() },
          },
    target: { kind, id: Number(id) },
    guests: draft.who === "linked" ? null : { permissions: toLines(draft.permissions) },
    listens: { mentions: draft.mentions, direct: draft.direct, channels: toLines(draft.channels) },
    perHour: Number(draft.perHour),
    language: draft.language === "setting" ? null : draft.language,
  };
}

/** The permission without which guests cannot talk to the target. */
export function neededPermission(target: string): string {
  const [kind] = target.split(":");
  const needed: Record<ChatTargetKind, string> = {
    agent: "agents.invoke",
    "agent-workflow": "agent-workflows.execute",
    workflow: "workflows.execute",
  };
  return needed[kind as ChatTargetKind] ?? needed.agent; // cast: what is not a kind has no entry
}

function toLines(text: string): string[] {
  return text.split(/[\s,]+/).filter((line) => line !== "");
}
