import type { JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../../importing/no-equivalent.ts";
import type { Given } from "../app-given.ts";
import { type App, ownAddress } from "../app-steps.ts";
import { computed, isExpression, js } from "../app-values.ts";
import { plainApp, SUCCESS } from "../plain-app.ts";

/** Services that send mails and have lists of those who get them. */

/** Names and values as one object. @throws NoEquivalent where a name is computed */
function namedValues(fields: readonly Given[], key: string): JsonObject {
  return Object.fromEntries(
    fields.map((field) => {
      const name = field.need(key);
      if (isExpression(name)) throw new NoEquivalent("which field it sets is computed");
      return [String(name), field.or("value", "")];
    }),
  );
}

const commas = (value: string | undefined, given: Given, name: string): JsonObject => {
  const text = value === undefined ? undefined : given.get(value);
  return text === undefined ? {} : { [name]: computed(`String(${js(text)}).split(",")`) };
};

export const MAILCHIMP: App = plainApp({
  ...{ title: "Mailchimp", credential: "mailchimpApi", oauth: "mailchimpOAuth2Api", secret: "mailchimp" },
  ...{ ownAddress: "mailchimp", base: `${ownAddress("mailchimp")}/3.0` },
  resource: "member",
  operation: { member: "create", memberTag: "create" },
  operations: {
    "member:create": (given) => {
      if (given.flag("jsonParameters")) throw new NoEquivalent("its fields are JSON as text");
      const options = given.group("options");
      for (const name of ["timestampOpt", "timestampSignup"])
        if (options.get(name) !== undefined) throw new NoEquivalent("it writes dates in a format of its own");
      if (given.group("locationFieldsUi").keys().length > 0) throw new NoEquivalent("it sets where a person is");
      const merged = given.list("mergeFieldsUi", "mergeFieldsValues");
      const groups = given.list("groupsUi", "groupsValues");
      return {
        ...{ method: "POST", path: "/lists/:list/members", fields: "listId=list email_address=email status" },
        more: { options: "email_type=emailType! language! vip! ip_signup=ipSignup! ip_opt=ipOptIn!" },
        fixed: {
          ...commas("tags", options, "tags"),
          ...(merged.length === 0 ? {} : { merge_fields: namedValues(merged, "name") }),
          ...(groups.length === 0 ? {} : { interests: namedValues(groups, "categoryFieldId") }),
        },
      };
    },
    "memberTag:create": (given) => ({
      ...{ method: "POST", path: "/lists/:list/members/:email/tags", more: { options: "is_syncing=isSyncing!" } },
      fixed: { tags: computed(`(${js(given.need("tags"))}).map((name) => ({ name, status: "active" }))`) },
      take: SUCCESS,
    }),
  },
});

const ADDRESS = "city! country! first_name=firstName! last_name=lastName! postal_code=postalCode!";

export const SENDGRID: App = plainApp({
  ...{ title: "SendGrid", credential: "sendGridApi", secret: "sendgrid", base: "https://api.sendgrid.com/v3" },
  resource: "list",
  operation: { list: "create", contact: "upsert", mail: "send" },
  operations: {
    "contact:upsert": (given) => {
      const more = given.group("additionalFields");
      for (const name of ["customFieldsUi", "addressUi", "alternateEmails"])
        if (more.get(name) !== undefined) throw new NoEquivalent(`it sets ${name} of a contact`);
      const contact: JsonObject = { email: given.need("email") };
      for (const word of `${ADDRESS} state_province_region=stateProvinceRegion!`.split(" ")) {
        const [own = "", name = own] = word.replace("!", "").split("=");
        const value = more.get(name);
        if (value !== undefined) contact[own] = value;
      }
      const lists = more.group("listIdsUi").group("listIdValues").get("listIds");
      return {
        ...{ method: "PUT", path: "/marketing/contacts" },
        fixed: { ...(lists === undefined ? {} : { list_ids: lists }), contacts: [contact] },
      };
    },
    "list:create": { method: "POST", path: "/marketing/lists", fields: "name" },
    "list:get": { method: "GET", path: "/marketing/lists/:listId", fields: "contact_sample=contactSample?" },
  },
});

export const MAILER_LITE: App = plainApp({
  ...{ title: "MailerLite", credential: "mailerLiteApi", secret: "mailerlite" },
  base: "https://connect.mailerlite.com/api",
  resource: "subscriber",
  operation: "create",
  check: ({ version }) => {
    if (version < 2) throw new NoEquivalent("its version 1 asks the classic API of MailerLite");
  },
  operations: {
    "subscriber:create": (given) => subscriber(given, "POST", "/subscribers", "email"),
    "subscriber:update": (given) => subscriber(given, "PUT", "/subscribers/:subscriberId", ""),
    "subscriber:get": { method: "GET", path: "/subscribers/:subscriberId", take: "$json.data" },
  },
});

function subscriber(given: Given, method: "POST" | "PUT", path: string, fields: string) {
  const more = given.group("additionalFields");
  const own = more.list("customFieldsUi", "customFieldsValues");
  const sent = Object.entries(more.all()).filter(([name]) => name !== "customFieldsUi");
  return {
    ...{ method, path, fields },
    fixed: {
      ...(method === "POST" ? { fields: [] } : {}),
      ...Object.fromEntries(sent),
      ...(own.length === 0 ? {} : { fields: namedValues(own, "fieldId") }),
    },
    ...(method === "POST" ? { take: "$json.data" } : {}),
  };
}

export const MAILGUN: App = plainApp({
  ...{ title: "Mailgun", credential: "mailgunApi", secret: "mailgun" },
  ...{ ownAddress: "mailgun", base: ownAddress("mailgun") },
  operation: "",
  operations: {
    ":": (given) => {
      if (given.get("attachments") !== undefined) throw new NoEquivalent("it sends a file");
      return {
        ...{ method: "POST", path: "/messages", bodyType: "multipart" },
        fields: "from=fromEmail to=toEmail subject~ text~ html~ cc=ccEmail? bcc=bccEmail?",
      };
    },
  },
});
