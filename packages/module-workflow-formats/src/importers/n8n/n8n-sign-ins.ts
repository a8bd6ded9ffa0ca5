import { PLAIN_SIGN_INS } from "./n8n-plain-sign-ins.ts";

/** How a credential of n8n signs in: a header with a secret, and what that secret has to be. */
export interface SignIn {
  /** Authorization, where it is not said; null: no header has it. */
  header?: string | null;
  /** `Bearer `, where it is not said. */
  prefix?: string;
  /** The names in braces that stand in the address for a secret each. */
  inUrl?: readonly string[];
  /** Further headers that have a secret each. */
  also?: readonly string[];
  /** What to make the secret of, and for which host. */
  advice: string;
}

const google = (host: string, ...scopes: string[]): SignIn => ({
  advice: `an access token of OAuth 2.0 (a new value when it ends), for ${host}, with the scopes ${scopes.map((scope) => `https://www.googleapis.com/auth/${scope}`).join(", ")}`,
});

/** By the type of the credential. Header, prefix, host and scopes are those of the APIs' public documentation. */
export const SIGN_INS: Readonly<Record<string, SignIn>> = {
  airtableTokenApi: { advice: "a personal access token of Airtable, for api.airtable.com" },
  airtableApi: { advice: "a personal access token of Airtable, for api.airtable.com" },
  airtableOAuth2Api: {
    advice:
      "an access token of OAuth 2.0 (a new value when it ends), for api.airtable.com, with the scopes data.records:read, data.records:write, schema.bases:read",
  },
  slackApi: { advice: "the bot token of a Slack app with the scope chat:write, for slack.com" },
  slackOAuth2Api: {
    advice: "an access token of OAuth 2.0 (a new value when it ends), for slack.com, with the scope chat:write",
  },
  telegramApi: { header: null, inUrl: ["token"], advice: "the token of a bot of Telegram, for api.telegram.org" },
  discordWebhookApi: {
    header: null,
    inUrl: ["id", "token"],
    advice:
      "that part of the address of a webhook of Discord, https://discord.com/api/webhooks/ID/TOKEN, for discord.com",
  },
  discordBotApi: { prefix: "Bot ", advice: "the token of a bot of Discord, for discord.com" },
  githubApi: { advice: "a personal access token of GitHub, for api.github.com" },
  githubOAuth2Api: {
    advice: "an access token of OAuth 2.0 (a new value when it ends), for api.github.com, with the scope repo",
  },
  whatsAppApi: { advice: "an access token of WhatsApp Business, for graph.facebook.com" },
  twilioApi: {
    prefix: "Basic ",
    inUrl: ["account"],
    advice: "for api.twilio.com: base64 of account SID:auth token; the one of the account has the account SID alone",
  },
  microsoftOutlookOAuth2Api: {
    advice:
      "an access token of OAuth 2.0 (a new value when it ends), for graph.microsoft.com, with the scopes Mail.ReadWrite and Mail.Send",
  },
  mattermostApi: { advice: "an access token of Mattermost, for its host" },
  supabaseApi: {
    header: "apikey",
    prefix: "",
    advice: "the service role key of Supabase, for the host of the project",
  },
  wordpressApi: { prefix: "Basic ", advice: "base64 of user:application password, for the host of WordPress" },
  n8nApi: { header: "X-N8N-API-KEY", prefix: "", advice: "a key of the API of n8n, for its host" },
  jiraSoftwareCloudApi: { prefix: "Basic ", advice: "base64 of e-mail address:API token, for the host of Jira" },
  twitterOAuth2Api: {
    advice:
      "an access token of OAuth 2.0 (a new value when it ends), for api.twitter.com, with the scopes tweet.read, tweet.write, users.read",
  },
  openWeatherMapApi: { header: null, inUrl: ["key"], advice: "a key of OpenWeatherMap, for api.openweathermap.org" },
  hunterApi: { header: null, inUrl: ["key"], advice: "a key of Hunter, for api.hunter.io" },
  clearbitApi: {
    advice: "a key of Clearbit, for person-stream.clearbit.com and company-stream.clearbit.com",
  },
  pipedriveApi: { header: null, inUrl: ["token"], advice: "an API token of Pipedrive, for api.pipedrive.com" },
  pipedriveOAuth2Api: { advice: "an access token of OAuth 2.0 (a new value when it ends), for api.pipedrive.com" },
  openAiApi: { advice: "a key of OpenAI, for api.openai.com" },
  notionApi: { advice: "the secret of an integration of Notion, for api.notion.com" },
  baserowApi: { prefix: "Token ", advice: "a database token of Baserow, for its host" },
  hubspotAppToken: { advice: "the access token of a private app of HubSpot, for api.hubapi.com" },
  hubspotApi: { advice: "the access token of a private app of HubSpot, for api.hubapi.com" },
  hubspotOAuth2Api: { advice: "an access token of OAuth 2.0 (a new value when it ends), for api.hubapi.com" },
  googleSheetsOAuth2Api: google("sheets.googleapis.com", "spreadsheets"),
  gmailOAuth2: google("gmail.googleapis.com", "gmail.modify"),
  googleDriveOAuth2Api: google("www.googleapis.com", "drive"),
  googleDocsOAuth2Api: google("docs.googleapis.com", "documents"),
  googleCalendarOAuth2Api: google("www.googleapis.com", "calendar"),
  youTubeOAuth2Api: google("www.googleapis.com", "youtube"),
  googleAnalyticsOAuth2: google("analyticsdata.googleapis.com", "analytics.readonly"),
  googleTasksOAuth2Api: google("www.googleapis.com", "tasks"),
  googleTranslateOAuth2Api: google("translation.googleapis.com", "cloud-translation"),
  googleCloudNaturalLanguageOAuth2Api: google("language.googleapis.com", "cloud-language"),
  googlePerspectiveOAuth2Api: google("commentanalyzer.googleapis.com", "userinfo.email"),
  ...PLAIN_SIGN_INS,
  googleApi: {
    advice:
      "an access token of OAuth 2.0 (a new value when it ends), for the host of this request, with the scopes of the Google product; n8n signed in as a service account, so share what it reads with the account that signs in",
  },
};
