import type { CataloguedService } from "@oven/contract/api";
import { adyen } from "./services/adyen.ts";
import { asana } from "./services/asana.ts";
import { bitbucket } from "./services/bitbucket.ts";
import { box } from "./services/box.ts";
import { canva } from "./services/canva.ts";
import { cloudflare } from "./services/cloudflare.ts";
import { confluence } from "./services/confluence.ts";
import { deepl } from "./services/deepl.ts";
import { digitalocean } from "./services/digitalocean.ts";
import { discord } from "./services/discord.ts";
import { figma } from "./services/figma.ts";
import { github } from "./services/github.ts";
import { gmail } from "./services/gmail.ts";
import { googleCalendar } from "./services/google-calendar.ts";
import { googleContacts } from "./services/google-contacts.ts";
import { googleDocs } from "./services/google-docs.ts";
import { googleDrive } from "./services/google-drive.ts";
import { googleSheets } from "./services/google-sheets.ts";
import { googleTasks } from "./services/google-tasks.ts";
import { huggingFace } from "./services/hugging-face.ts";
import { intercom } from "./services/intercom.ts";
import { jira } from "./services/jira.ts";
import { linear } from "./services/linear.ts";
import { mailchimp } from "./services/mailchimp.ts";
import { microsoftLearn } from "./services/microsoft-learn.ts";
import { monday } from "./services/monday.ts";
import { neon } from "./services/neon.ts";
import { netlify } from "./services/netlify.ts";
import { notion } from "./services/notion.ts";
import { pagerduty } from "./services/pagerduty.ts";
import { paypal } from "./services/paypal.ts";
import { sentry } from "./services/sentry.ts";
import { slack } from "./services/slack.ts";
import { spotify } from "./services/spotify.ts";
import { square } from "./services/square.ts";
import { stripe } from "./services/stripe.ts";
import { supabase } from "./services/supabase.ts";
import { trello } from "./services/trello.ts";
import { twilio } from "./services/twilio.ts";
import { vercel } from "./services/vercel.ts";
import { webflow } from "./services/webflow.ts";
import { xero } from "./services/xero.ts";
import { youtube } from "./services/youtube.ts";

/** The services of the catalogue: one file each. */
export const SERVICES: readonly CataloguedService[] = [
  adyen,
  asana,
  bitbucket,
  box,
  canva,
  cloudflare,
  confluence,
  deepl,
  digitalocean,
  discord,
  figma,
  github,
  gmail,
  googleCalendar,
  googleContacts,
  googleDocs,
  googleDrive,
  googleSheets,
  googleTasks,
  huggingFace,
  intercom,
  jira,
  linear,
  mailchimp,
  microsoftLearn,
  monday,
  neon,
  netlify,
  notion,
  pagerduty,
  paypal,
  sentry,
  slack,
  spotify,
  square,
  stripe,
  supabase,
  trello,
  twilio,
  vercel,
  webflow,
  xero,
  youtube,
];
