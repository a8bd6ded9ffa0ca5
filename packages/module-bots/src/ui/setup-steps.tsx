import Box from "@mui/material/Box";
import type { Bot } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { CopyButton } from "@oven/ui/components/copy-button.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement, ReactNode } from "react";

const SCOPES = [
  "app_mentions:read",
  "channels:history",
  "chat:write",
  "files:read",
  "files:write",
  "groups:history",
  "im:history",
  "im:write",
];
const EVENTS = ["app_mention", "message.im"];
/** Where a bot answers every message, Slack must send every message. */
const ALL_EVENTS = [...EVENTS, "message.channels", "message.groups"];

/** What is to be done at the messenger, with the exact addresses and scopes. */
export function SetupSteps({ bot }: { bot: Bot }): ReactElement {
  return (
    <Box component="ol" sx={{ m: 0, pl: 2.5, display: "grid", gap: 1.5 }}>
      {bot.connection.type === "slack-app" ? <SlackSteps bot={bot} /> : <TeamsSteps bot={bot} />}
    </Box>
  );
}

function SlackSteps({ bot }: { bot: Bot }): ReactElement {
  const { eventsPath, actionsPath, listens } = bot;
  const manifest = {
    display_information: { name: bot.name.slice(0, 35) },
    features: {
      app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: bot.name, always_online: true },
    },
    oauth_config: { scopes: { bot: SCOPES } },
    settings: {
      event_subscriptions: {
        request_url: toAddress(eventsPath),
        bot_events: listens.channels.length === 0 ? EVENTS : ALL_EVENTS,
      },
      interactivity: { is_enabled: true, request_url: toAddress(actionsPath ?? "") },
      org_deploy_enabled: false,
      socket_mode_enabled: false,
    },
  };
  return (
    <>
      <li>
        {t("Make the app at api.slack.com/apps from this manifest, or set the same in the app that there is.")}
        <CodeBlock text={JSON.stringify(manifest, null, 2)} what={t("the manifest")} />
      </li>
      <li>
        <Address label={t("Request URL of Event Subscriptions")} path={eventsPath} />
      </li>
      <li>
        <Address label={t("Request URL of Interactivity")} path={actionsPath ?? ""} />
      </li>
      <li>{t("Install the app into the workspace, and invite the bot into the channels where it answers.")}</li>
    </>
  );
}

function TeamsSteps({ bot }: { bot: Bot }): ReactElement {
  const appId = bot.connection.type === "teams" ? bot.connection.appId : "";
  const manifest = {
    bots: [{ botId: appId, scopes: ["personal", "team", "groupChat"], isNotificationOnly: false }],
    validDomains: [window.location.host],
  };
  return (
    <>
      <li>
        <Address label={t("Messaging endpoint of the Azure bot")} path={bot.eventsPath} />
      </li>
      <li>{t("Add the channel Microsoft Teams to the Azure bot.")}</li>
      <li>
        {t("Make an app of Teams whose manifest has this part, upload it, and add it to teams and chats.")}
        <CodeBlock text={JSON.stringify(manifest, null, 2)} what={t("the manifest")} />
      </li>
    </>
  );
}

function Address({ label, path }: { label: ReactNode; path: string }): ReactElement {
  const address = toAddress(path);
  return (
    <>
      {label}
      <Box sx={{ display: "flex", alignItems: "center", gap: 1 }}>
        <Box sx={{ flex: 1, minWidth: 0, fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere" }}>
          {address}
        </Box>
        <CopyButton text={address} what={t("the address")} small />
      </Box>
    </>
  );
}

function toAddress(path: string): string {
  return window.location.origin + path;
}
