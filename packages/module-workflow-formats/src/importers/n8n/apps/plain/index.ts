import type { App } from "../app-steps.ts";
import { BOX, HELP_SCOUT, MESSAGE_BIRD } from "./boxes.ts";
import { ACTIVE_CAMPAIGN, AFFINITY, DEMIO, FRESHDESK, MAUTIC, ZENDESK } from "./desks.ts";
import { GOOGLE_ANALYTICS } from "./google-analytics.ts";
import { GOOGLE_CALENDAR } from "./google-calendar.ts";
import { GOOGLE_NATURAL_LANGUAGE, GOOGLE_PERSPECTIVE, GOOGLE_TRANSLATE } from "./google-language.ts";
import { LINEAR, MONDAY } from "./graphs.ts";
import { MAILCHIMP, MAILER_LITE, MAILGUN, SENDGRID } from "./mailings.ts";
import {
  GOTIFY,
  HOME_ASSISTANT,
  LINE,
  PAGERDUTY,
  PUSHCUT,
  ROCKET_CHAT,
  SIGNL4,
  TWAKE,
  VONAGE,
  ZULIP,
} from "./notices.ts";
import {
  CIRCLE_CI,
  COIN_GECKO,
  DISQUS,
  DRIFT,
  HARVEST,
  LINGVANEX,
  MEDIUM,
  NASA,
  NETLIFY,
  OPEN_THESAURUS,
  RAINDROP,
  TRAVIS_CI,
  TWIST,
} from "./services.ts";
import { SHOPIFY } from "./shops.ts";
import { SPOTIFY } from "./spotify.ts";
import { ASANA, CLICKUP, CLOCKIFY, GOOGLE_TASKS, TODOIST, TRELLO } from "./tasks.ts";
import { UPROC } from "./uproc.ts";

/** Apps most of whose operations are one request, by the types of their nodes. */
export const PLAIN_APPS: Readonly<Record<string, App>> = {
  ...{ asana: ASANA, clickUp: CLICKUP, clockify: CLOCKIFY, todoist: TODOIST, trello: TRELLO },
  ...{ googleTasks: GOOGLE_TASKS, linear: LINEAR, mondayCom: MONDAY, googleCalendar: GOOGLE_CALENDAR },
  ...{ googleTranslate: GOOGLE_TRANSLATE, googleCloudNaturalLanguage: GOOGLE_NATURAL_LANGUAGE },
  ...{ googlePerspective: GOOGLE_PERSPECTIVE, zendesk: ZENDESK, mautic: MAUTIC, freshdesk: FRESHDESK },
  ...{ affinity: AFFINITY, activeCampaign: ACTIVE_CAMPAIGN, demio: DEMIO, drift: DRIFT, shopify: SHOPIFY },
  ...{ mailchimp: MAILCHIMP, sendGrid: SENDGRID, mailerLite: MAILER_LITE, mailgun: MAILGUN },
  ...{ signl4: SIGNL4, vonage: VONAGE, gotify: GOTIFY, line: LINE, pushcut: PUSHCUT, twake: TWAKE },
  ...{ pagerDuty: PAGERDUTY, rocketchat: ROCKET_CHAT, zulip: ZULIP, homeAssistant: HOME_ASSISTANT },
  ...{ travisCi: TRAVIS_CI, circleCi: CIRCLE_CI, netlify: NETLIFY, harvest: HARVEST, medium: MEDIUM },
  ...{ nasa: NASA, openThesaurus: OPEN_THESAURUS, coinGecko: COIN_GECKO, lingvaNex: LINGVANEX },
  ...{ googleAnalytics: GOOGLE_ANALYTICS, uproc: UPROC },
  ...{ box: BOX, helpScout: HELP_SCOUT, messageBird: MESSAGE_BIRD },
  ...{ disqus: DISQUS, raindrop: RAINDROP, twist: TWIST, spotify: SPOTIFY },
};
