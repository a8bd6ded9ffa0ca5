import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../../../importing/no-equivalent.ts";
import type { Given } from "../app-given.ts";
import { type App, ownAddress } from "../app-steps.ts";
import { computed, isExpression, js } from "../app-values.ts";
import { type Operation, type PlainOperation, plainApp, SUCCESS } from "../plain-app.ts";

/** Desks where customers are helped, and lists of customers. */

const TICKET = "type! external_id=externalId! subject! status! recipient! group_id=group! tags!";

/** Fields of one's own: a list of ids and values. */
function ownFields(group: Given): JsonObject {
  const own = group.list("customFieldsUi", "customFieldsValues");
  if (own.length === 0) return {};
  return { custom_fields: own.map((field) => ({ id: field.need("id"), value: field.or("value", "") })) };
}

/** @throws NoEquivalent where its fields are JSON as text */
function refuseJson(given: Given): void {
  if (given.flag("jsonParameters")) throw new NoEquivalent("its fields are JSON as text");
}

function commentOf(fields: Given): JsonObject {
  const [note, reply] = [fields.get("internalNote"), fields.get("publicReply")];
  // The reply is set after the note, in its place.
  if (reply !== undefined) return { comment: { body: reply, public: true } };
  return note === undefined ? {} : { comment: { html_body: note, public: false } };
}

const suspendable =
  (method: "GET" | "DELETE", take: string): PlainOperation =>
  (given) => {
    const isRegular = given.choice("ticketType", "regular", ["regular", "suspended"]) === "regular";
    return { method, path: `/${isRegular ? "tickets" : "suspended_tickets"}/:id`, take };
  };

/** @throws NoEquivalent for fields of users of one's own */
const zendeskUser =
  (method: "POST" | "PUT", path: string, group: string): PlainOperation =>
  (given) => {
    if (given.group(group).get("userFieldsUi") !== undefined) throw new NoEquivalent("it sets fields of one's own");
    const fields = method === "POST" ? "name" : "";
    return { method, path, fields, all: [group], wrap: "user", take: "$json.user" };
  };

const ZENDESK_OPERATIONS: Readonly<Record<string, PlainOperation>> = {
  "ticket:create": (given) => {
    refuseJson(given);
    const fixed = { comment: { body: given.or("description", "") }, ...ownFields(given.group("additionalFields")) };
    const more = { additionalFields: TICKET };
    return { method: "POST", path: "/tickets", fixed, more, wrap: "ticket", take: "$json.ticket" };
  },
  "ticket:update": (given) => {
    refuseJson(given);
    const fields = given.group("updateFields");
    return {
      ...{ method: "PUT", path: "/tickets/:id", wrap: "ticket", take: "$json.ticket" },
      fixed: { ...ownFields(fields), ...commentOf(fields) },
      more: { updateFields: `${TICKET} assignee_email=assigneeEmail!` },
    };
  },
  "ticket:get": suspendable("GET", "$json.ticket ?? $json.suspended_ticket"),
  "ticket:delete": suspendable("DELETE", SUCCESS),
  "ticket:getAll": (given) => {
    given.choice("ticketType", "regular", ["regular"]);
    const options = given.group("options");
    const asked = [options.get("query"), ...["status", "group"].map((name) => filter(name, options.get(name)))];
    const known = asked.filter((one) => one !== undefined);
    const query = known.some(isExpression)
      ? computed(["type:ticket", ...known].map(js).join(' + " " + '))
      : ["type:ticket", ...known].join(" ");
    return {
      ...{ method: "GET", path: "/search", list: "answer.results", queryFixed: { query } },
      more: { options: "sort_by=sortBy! sort_order=sortOrder!" },
      paged: { count: "per_page", most: 100, isMore: "(answer.next_page ?? null) !== null", limit: 100 },
    };
  },
  "user:create": zendeskUser("POST", "/users", "additionalFields"),
  "user:update": zendeskUser("PUT", "/users/:id", "updateFields"),
  "user:get": { method: "GET", path: "/users/:id", take: "$json.user" },
};

const filter = (name: string, value: Json | undefined): Json | undefined =>
  value === undefined
    ? undefined
    : isExpression(value)
      ? computed(`${JSON.stringify(`${name}:`)} + ${js(value)}`)
      : `${name}:${value}`;

/** Addresses of Zendesk end in `.json`. */
function asJson(operation: PlainOperation): PlainOperation {
  return (given, names) => {
    const made = typeof operation === "function" ? operation(given, names) : operation;
    return "steps" in made ? made : { ...made, path: `${made.path}.json` };
  };
}

export const ZENDESK: App = plainApp({
  ...{ title: "Zendesk", credential: "zendeskApi", oauth: "zendeskOAuth2Api", secret: "zendesk" },
  ...{ ownAddress: "zendesk", base: `${ownAddress("zendesk")}/api/v2` },
  resource: "ticket",
  operation: { ticket: "create", user: "create" },
  operations: Object.fromEntries(Object.entries(ZENDESK_OPERATIONS).map(([name, one]) => [name, asJson(one)])),
});

const MAUTIC_CONTACT =
  "ipAddress! lastActive! owner=ownerId! b2b_or_b2c=b2bOrb2c! crm_id=crmId! fax! haspurchased=hasPurchased! mobile! phone! prospect_or_customer=prospectOrCustomer! sandbox! stage! tags! website!";

/** A contact as Mautic has it, or its fields alone. */
function contactOf(given: Given, operation: Operation): Operation {
  const isRaw = given.group("options").flag("rawData", true);
  return { ...operation, failsBy: "errors", take: isRaw ? "$json.contact" : "$json.contact.fields.all" };
}

function mauticFields(group: Given): JsonObject {
  const [address] = [group.group("addressUi").group("addressValues")];
  const social = group.group("socialMediaUi").group("socialMediaValues");
  const made: JsonObject = {};
  for (const [from, names] of [
    [address, ["address1", "address2", "city", "state", "country", "zipCode"]],
    [social, ["facebook", "foursquare", "instagram", "linkedIn", "skype", "twitter"]],
  ] as const)
    for (const name of names) {
      const value = from.get(name);
      if (value !== undefined) made[name.toLowerCase()] = value;
    }
  for (const field of group.list("customFieldsUi", "customFieldValues")) {
    const id = field.need("fieldId");
    if (isExpression(id)) throw new NoEquivalent("which field it sets is computed");
    made[String(id)] = field.or("fieldValue", "");
  }
  return made;
}

export const MAUTIC: App = plainApp({
  ...{ title: "Mautic", credential: "mauticApi", oauth: "mauticOAuth2Api", secret: "mautic" },
  ...{ ownAddress: "mautic", base: `${ownAddress("mautic")}/api` },
  resource: "contact",
  operation: { contact: "create", contactSegment: "add" },
  operations: {
    "contact:create": (given) => {
      refuseJson(given);
      return contactOf(given, {
        ...{ method: "POST", path: "/contacts/new" },
        fields: "email~ firstname=firstName~ lastname=lastName~ company~ position~ title~",
        fixed: mauticFields(given.group("additionalFields")),
        more: { additionalFields: MAUTIC_CONTACT },
      });
    },
    "contact:update": (given) => {
      refuseJson(given);
      return contactOf(given, {
        ...{ method: "PATCH", path: "/contacts/:contactId/edit" },
        fixed: mauticFields(given.group("updateFields")),
        more: {
          updateFields: `email! firstname=firstName! lastname=lastName! company! position! title! ${MAUTIC_CONTACT}`,
        },
      });
    },
    "contact:get": (given) => contactOf(given, { method: "GET", path: "/contacts/:contactId" }),
    "contact:delete": (given) => contactOf(given, { method: "DELETE", path: "/contacts/:contactId/delete" }),
    "contact:getAll": (given) => {
      const options = given.group("options");
      if (options.get("orderBy") !== undefined) throw new NoEquivalent("it sorts contacts");
      const isRaw = options.flag("rawData", true);
      const list = `Object.values(answer.contacts)${isRaw ? "" : ".map((one) => one.fields.all)"}`;
      return {
        ...{ method: "GET", path: "/contacts", list, failsBy: "errors", queryFixed: { start: 0 } },
        more: { options: "search minimal publishedOnly rawData" },
        paged: { count: "limit", most: 100, isMore: "Object.keys(answer.contacts).length >= 100", limit: 30 },
      };
    },
    "contact:editDoNotContactList": (given) => {
      const action = given.choice("action", "add", ["add", "remove"]);
      const channel = given.choice("channel", "email", ["email", "sms"]);
      const all = action === "add" ? ["additionalFields"] : [];
      const path = `/contacts/:contactId/dnc/${channel}/${action}`;
      return { method: "POST", path, all, failsBy: "errors", take: "$json.contact" };
    },
    "contact:sendEmail": {
      ...{ method: "POST", path: "/emails/:campaignEmailId/contact/:contactId/send", failsBy: "errors" },
    },
    "contactSegment:add": {
      ...{ method: "POST", path: "/segments/:segmentId/contact/:contactId/add", failsBy: "errors" },
    },
    "contactSegment:remove": {
      ...{ method: "POST", path: "/segments/:segmentId/contact/:contactId/remove", failsBy: "errors" },
    },
  },
});

const STATUS = { open: 2, pending: 3, resolved: 4, closed: 5 };
const PRIORITY = { low: 1, medium: 2, high: 3, urgent: 4 };
const SOURCE = {
  ...{ email: 1, portal: 2, phone: 3, chat: 7, mobihelp: 8, feedbackWidget: 9, outboundEmail: 10 },
};
const REQUESTER = {
  ...{ email: "email", facebookId: "facebook_id", phone: "phone", twitterId: "twitter_id" },
  ...{ uniqueExternalId: "unique_external_id" },
};
const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T & string)[]; // cast: its own keys

export const FRESHDESK: App = plainApp({
  ...{ title: "Freshdesk", credential: "freshdeskApi", secret: "freshdesk" },
  ...{ ownAddress: "freshdesk", base: `${ownAddress("freshdesk")}/api/v2` },
  resource: "ticket",
  operation: { ticket: "create" },
  operations: {
    "ticket:create": (given) => {
      const options = given.group("options");
      for (const name of ["tags", "ccEmails"])
        if (options.get(name) !== undefined) throw new NoEquivalent(`its ${name} are a text with commas`);
      const by = given.choice("requester", "requesterId", [...keysOf(REQUESTER), "requesterId"]);
      if (by === "requesterId") throw new NoEquivalent("its requester is an id as text");
      return {
        ...{ method: "POST", path: "/tickets" },
        fixed: {
          status: STATUS[given.choice("status", "pending", keysOf(STATUS))],
          priority: PRIORITY[given.choice("priority", "low", keysOf(PRIORITY))],
          source: SOURCE[given.choice("source", "portal", keysOf(SOURCE))],
          [REQUESTER[by]]: given.or("requesterIdentificationValue", ""),
          subject: options.or("subject", "null"),
          description: options.or("description", "null"),
        },
        more: {
          options:
            "name! type! responder_id=agent! company_id=company! product_id=product! group_id=group! fr_due_by=frDueBy! email_config_id=emailConfigId! due_by=dueBy!",
        },
      };
    },
    "ticket:get": { method: "GET", path: "/tickets/:ticketId" },
  },
});

export const AFFINITY: App = plainApp({
  ...{ title: "Affinity", credential: "affinityApi", secret: "affinity", base: "https://api.affinity.co" },
  resource: "organization",
  operation: { organization: "create" },
  operations: {
    "organization:create": {
      ...{ method: "POST", path: "/organizations", fields: "name domain" },
      more: { additionalFields: "person_ids=persons!" },
    },
  },
});

export const ACTIVE_CAMPAIGN: App = plainApp({
  ...{ title: "ActiveCampaign", credential: "activeCampaignApi", secret: "activecampaign" },
  ...{ ownAddress: "activecampaign", base: `${ownAddress("activecampaign")}/api/3` },
  resource: "contact",
  operation: { contact: "create" },
  operations: {
    "contact:create": (given) => {
      const more = given.group("additionalFields");
      const isObjectLike = more.keys().some((name) => isObject(more.all()[name] ?? null));
      if (isObjectLike) throw new NoEquivalent("it sets fields of one's own");
      const path = given.flag("updateIfExists") ? "/contact/sync" : "/contacts";
      const all = ["additionalFields"];
      return { method: "POST", path, fields: "email", all, wrap: "contact", take: "$json.contact" };
    },
    "contact:get": { method: "GET", path: "/contacts/:contactId" },
  },
});

export const DEMIO: App = plainApp({
  ...{ title: "Demio", credential: "demioApi", secret: "demio", base: "https://my.demio.com/api/v1" },
  resource: "event",
  operation: { event: "get" },
  operations: {
    "event:register": (given) => {
      if (given.group("additionalFields").get("customFieldsUi") !== undefined)
        throw new NoEquivalent("it sets fields of one's own");
      const all = ["additionalFields"];
      return { method: "PUT", path: "/event/register", fields: "name=firstName email id=eventId", all };
    },
  },
});
