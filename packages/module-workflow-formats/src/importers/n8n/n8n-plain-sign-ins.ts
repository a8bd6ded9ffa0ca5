import type { SignIn } from "./n8n-sign-ins.ts";

/** An access token of OAuth 2.0. */
const token = (host: string): SignIn => ({
  advice: `an access token of OAuth 2.0 (a new value when it ends), for ${host}`,
});
const bearer = (what: string, host: string): SignIn => ({ advice: `${what}, for ${host}` });
const header = (name: string, what: string, host: string): SignIn => ({
  ...{ header: name, prefix: "", advice: `${what}, for ${host}` },
});
const basic = (what: string, host: string): SignIn => ({ prefix: "Basic ", advice: `base64 of ${what}, for ${host}` });

/** How the apps sign in whose operations are one request each. Headers, prefixes and hosts are those of the APIs' public documentation. */
export const PLAIN_SIGN_INS: Readonly<Record<string, SignIn>> = {
  asanaApi: bearer("a personal access token of Asana", "app.asana.com"),
  asanaOAuth2Api: token("app.asana.com"),
  clickUpApi: header("Authorization", "a personal API token of ClickUp", "api.clickup.com"),
  clickUpOAuth2Api: token("api.clickup.com"),
  clockifyApi: header("X-Api-Key", "an API key of Clockify", "api.clockify.me"),
  todoistApi: bearer("an API token of Todoist", "api.todoist.com"),
  todoistOAuth2Api: token("api.todoist.com"),
  trelloApi: {
    ...{ header: null, inUrl: ["key", "token"] },
    advice: "the API key, and the token, of Trello, for api.trello.com",
  },
  linearApi: header("Authorization", "a personal API key of Linear", "api.linear.app"),
  linearOAuth2Api: token("api.linear.app"),
  spotifyOAuth2Api: token("api.spotify.com"),
  mondayComApi: bearer("an API token of monday.com", "api.monday.com"),
  mondayComOAuth2Api: token("api.monday.com"),
  zendeskApi: basic("e-mail address/token:API token", "the host of Zendesk"),
  zendeskOAuth2Api: token("the host of Zendesk"),
  mauticApi: basic("user:password", "the host of Mautic"),
  mauticOAuth2Api: token("the host of Mautic"),
  freshdeskApi: basic("API key:X", "the host of Freshdesk"),
  affinityApi: basic(":API key (nothing stands before the colon)", "api.affinity.co"),
  activeCampaignApi: header("Api-Token", "a key of ActiveCampaign", "its host"),
  demioApi: {
    ...{ header: "Api-Key", prefix: "", also: ["Api-Secret"] },
    advice: "the API key, and the API secret, of Demio, for my.demio.com",
  },
  driftApi: bearer("an access token of Drift", "driftapi.com"),
  driftOAuth2Api: token("driftapi.com"),
  shopifyApi: basic("API key:password", "the host of the shop"),
  shopifyAccessTokenApi: header("X-Shopify-Access-Token", "an access token of Shopify", "the host of the shop"),
  shopifyOAuth2Api: header("X-Shopify-Access-Token", "an access token of OAuth 2.0", "the host of the shop"),
  mailchimpApi: { prefix: "apikey ", advice: "an API key of Mailchimp, for the host of its data center" },
  mailchimpOAuth2Api: token("the host of Mailchimp's data center"),
  sendGridApi: bearer("an API key of SendGrid", "api.sendgrid.com"),
  mailerLiteApi: bearer("an API token of MailerLite", "connect.mailerlite.com"),
  mailgunApi: basic("api:API key", "the host of Mailgun"),
  signl4Api: { header: null, inUrl: ["secret"], advice: "the team secret of SIGNL4, for connect.signl4.com" },
  vonageApi: {
    ...{ header: null, inUrl: ["key", "secret"] },
    advice: "the API key, and the API secret, of Vonage, for rest.nexmo.com",
  },
  gotifyApi: header("X-Gotify-Key", "the token of an application of Gotify", "its host"),
  lineNotifyOAuth2Api: bearer("an access token of LINE Notify", "notify-api.line.me"),
  pushcutApi: header("API-Key", "an API key of Pushcut", "api.pushcut.io"),
  twakeCloudApi: bearer("the key of a workspace of Twake", "plugins.twake.app"),
  pagerDutyApi: { prefix: "Token token=", advice: "an API token of PagerDuty, for api.pagerduty.com" },
  pagerDutyOAuth2Api: token("api.pagerduty.com"),
  rocketchatApi: {
    ...{ header: "X-Auth-Token", prefix: "", also: ["X-User-Id"] },
    advice: "the auth token, and the id of the user, of Rocket.Chat, for its host",
  },
  zulipApi: basic("e-mail address:API key", "the host of Zulip"),
  homeAssistantApi: bearer("a long-lived access token of Home Assistant", "its host"),
  travisCiApi: { prefix: "token ", advice: "an API token of Travis CI, for api.travis-ci.com" },
  circleCiApi: header("Circle-Token", "a personal API token of CircleCI", "circleci.com"),
  netlifyApi: bearer("a personal access token of Netlify", "api.netlify.com"),
  harvestApi: bearer("a personal access token of Harvest", "api.harvestapp.com"),
  harvestOAuth2Api: token("api.harvestapp.com"),
  mediumApi: bearer("an integration token of Medium", "api.medium.com"),
  mediumOAuth2Api: token("api.medium.com"),
  nasaApi: { header: null, inUrl: ["key"], advice: "a key of NASA's APIs, for api.nasa.gov" },
  lingvaNexApi: bearer("an API key of LingvaNex", "api-b2b.backenster.com"),
  disqusApi: { header: null, inUrl: ["key"], advice: "an API key of Disqus, for disqus.com" },
  raindropOAuth2Api: token("api.raindrop.io"),
  boxOAuth2Api: token("api.box.com"),
  helpScoutOAuth2Api: token("api.helpscout.net"),
  messageBirdApi: { prefix: "AccessKey ", advice: "an access key of MessageBird, for rest.messagebird.com" },
  uprocApi: basic("e-mail address:API key", "api.uproc.io"),
  twistOAuth2Api: token("api.twist.com"),
};
