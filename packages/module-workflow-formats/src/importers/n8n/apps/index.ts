import { NoEquivalent, orReason } from "../../../importing/no-equivalent.ts";
import type { N8nNode } from "../n8n-document.ts";
import { AIRTABLE } from "./airtable.ts";
import { Given } from "./app-given.ts";
import { type App, nodesOf, type PartNames } from "./app-steps.ts";
import { BASEROW } from "./baserow.ts";
import { DISCORD } from "./discord.ts";
import { GITHUB } from "./github.ts";
import { GMAIL } from "./gmail.ts";
import { GOOGLE_DOCS } from "./google-docs.ts";
import { GOOGLE_DRIVE } from "./google-drive.ts";
import { GOOGLE_SHEETS } from "./google-sheets.ts";
import { GRAPHQL } from "./graphql.ts";
import { HUBSPOT } from "./hubspot.ts";
import { DATE_TIME_1, RENAME_KEYS } from "./item-fields.ts";
import { JIRA } from "./jira.ts";
import { CLEARBIT, HACKER_NEWS, HUNTER, OPEN_WEATHER_MAP } from "./look-ups.ts";
import { MATTERMOST } from "./mattermost.ts";
import { TWILIO, WHATSAPP } from "./messengers.ts";
import { MICROSOFT_OUTLOOK } from "./microsoft-outlook.ts";
import { N8N_ITSELF } from "./n8n-itself.ts";
import { NOTION } from "./notion.ts";
import { isAboutImages, OPENAI_IMAGE } from "./openai-image.ts";
import { PIPEDRIVE } from "./pipedrive.ts";
import { PLAIN_APPS } from "./plain/index.ts";
import { RSS } from "./rss.ts";
import { SLACK } from "./slack.ts";
import { SUPABASE } from "./supabase.ts";
import { TELEGRAM } from "./telegram.ts";
import { WORDPRESS } from "./wordpress.ts";
import { X } from "./x.ts";
import { XML } from "./xml.ts";
import { YOUTUBE } from "./youtube.ts";

/** Apps that n8n has nodes for, by the type of the node. */
const APPS: ReadonlyMap<string, App> = new Map(
  Object.entries({
    airtable: AIRTABLE,
    discord: DISCORD,
    github: GITHUB,
    gmail: GMAIL,
    googleDocs: GOOGLE_DOCS,
    googleDrive: GOOGLE_DRIVE,
    microsoftOutlook: MICROSOFT_OUTLOOK,
    twilio: TWILIO,
    whatsApp: WHATSAPP,
    googleSheets: GOOGLE_SHEETS,
    notion: NOTION,
    slack: SLACK,
    telegram: TELEGRAM,
    clearbit: CLEARBIT,
    graphql: GRAPHQL,
    hunter: HUNTER,
    jira: JIRA,
    mattermost: MATTERMOST,
    n8n: N8N_ITSELF,
    openWeatherMap: OPEN_WEATHER_MAP,
    pipedrive: PIPEDRIVE,
    supabase: SUPABASE,
    twitter: X,
    wordpress: WORDPRESS,
    baserow: BASEROW,
    hackerNews: HACKER_NEWS,
    hubspot: HUBSPOT,
    rssFeedRead: RSS,
    xml: XML,
    youTube: YOUTUBE,
    dateTime: DATE_TIME_1,
    renameKeys: RENAME_KEYS,
    ...PLAIN_APPS,
  }),
);

/**
 * A node of an app as the requests that it makes, and what stands around them.
 * @returns undefined: it is no app that is known here
 */
export function lowerApp(node: N8nNode, nameOf: PartNames): { nodes: N8nNode[] } | { reason: string } | undefined {
  const isImage = node.type === "langchain.openAi" && isAboutImages(node.parameters);
  // Since its version 2 it adds a field alone.
  if (node.type === "dateTime" && node.version >= 2) return undefined;
  const app = isImage ? OPENAI_IMAGE : APPS.get(node.type);
  if (app === undefined) return undefined;
  const names = new Map<string, string>();
  const takeName: PartNames = (what) => {
    const name = names.get(what) ?? nameOf(what);
    names.set(what, name);
    return name;
  };
  const planned = orReason(() => {
    const given = new Given(node.parameters, node.version, { node: node.name });
    given.skip("authentication", "resource", "operation", "notice");
    if (given.keys().includes("requestOptions")) refuseRequestOptions(given);
    const plan = app.plan(given, takeName);
    given.refuseRest();
    return plan;
  });
  return "reason" in planned ? planned : { nodes: nodesOf(node, app, planned.value, takeName) };
}

function refuseRequestOptions(given: Given): void {
  const options = given.group("requestOptions");
  if (options.keys().length > 0) throw new NoEquivalent("it has options of its requests");
}
