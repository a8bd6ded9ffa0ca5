import type { App } from "../app-steps.ts";
import { computed, js } from "../app-values.ts";
import { plainApp } from "../plain-app.ts";

/** Folders, mailboxes and messages. */

export const BOX: App = plainApp({
  ...{ title: "Box", credential: "boxOAuth2Api", secret: "box", base: "https://api.box.com/2.0" },
  resource: "file",
  operation: { file: "upload", folder: "create" },
  operations: {
    "folder:create": (given) => ({
      ...{ method: "POST", path: "/folders", fields: "name", query: "options.fields!" },
      fixed: { parent: { id: given.or("parentId", 0) } },
      more: { options: "folder_upload_email.access=access!" },
    }),
  },
});

export const HELP_SCOUT: App = plainApp({
  ...{ title: "Help Scout", credential: "helpScoutOAuth2Api", secret: "help-scout", base: "https://api.helpscout.net" },
  resource: "conversation",
  operation: { conversation: "create", mailbox: "get" },
  operations: {
    "mailbox:get": { method: "GET", path: "/v2/mailboxes/:mailboxId" },
    "mailbox:getAll": {
      ...{ method: "GET", path: "/v2/mailboxes", list: "answer._embedded?.mailboxes ?? []" },
      paged: { most: 50, isMore: "answer.page?.totalPages > 1", isCut: true },
    },
  },
});

const SMS =
  "groupIds! type! reference! reportUrl! gateway! typeDetails! datacoding! mclass! scheduledDatetime! createdDatetime!";

export const MESSAGE_BIRD: App = plainApp({
  ...{
    title: "MessageBird",
    credential: "messageBirdApi",
    secret: "messagebird",
    base: "https://rest.messagebird.com",
  },
  resource: "sms",
  operation: { sms: "send", balance: "get" },
  operations: {
    "sms:send": (given) => ({
      ...{ method: "POST", path: "/messages", fields: "originator body=message", more: { additionalFields: SMS } },
      fixed: {
        recipients: computed(
          `String(${js(given.need("recipients"))}).split(",").map((text) => Number.parseInt(text, 10))`,
        ),
      },
    }),
    "balance:get": { method: "GET", path: "/balance" },
  },
});
