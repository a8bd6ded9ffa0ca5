import type { JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../../importing/no-equivalent.ts";
import type { Given } from "../app-given.ts";
import { type App, ownAddress } from "../app-steps.ts";
import { computed, isExpression, js } from "../app-values.ts";
import { plainApp } from "../plain-app.ts";

/** Services that send notices to persons. */

const SOURCE = { "X-S4-SourceSystem": "n8n" };

function place(group: Given): JsonObject {
  const values = group.group("locationFieldsUi").group("locationFieldsValues");
  const [latitude, longitude] = [values.get("latitude"), values.get("longitude")];
  if (latitude === undefined && longitude === undefined) return {};
  return { "X-S4-Location": computed(`[${js(latitude ?? "")}, ${js(longitude ?? "")}].join(",")`) };
}

export const SIGNL4: App = plainApp({
  ...{ title: "SIGNL4", credential: "signl4Api", secret: "signl4", base: "https://connect.signl4.com" },
  resource: "alert",
  operation: "send",
  operations: {
    "alert:send": (given) => {
      const more = given.group("additionalFields");
      if (more.get("attachmentsUi") !== undefined) throw new NoEquivalent("it sends a file");
      return {
        ...{ method: "POST", path: "/webhook/{secret}", bodyType: "multipart", fields: "message" },
        fixed: { "X-S4-Status": "new", ...SOURCE, ...place(more) },
        more: {
          additionalFields:
            "title! service! X-S4-AlertingScenario=alertingScenario! X-S4-Filtering=filtering! X-S4-ExternalID=externalId!",
        },
      };
    },
    "alert:resolve": {
      ...{ method: "POST", path: "/webhook/{secret}", bodyType: "multipart", fields: "X-S4-ExternalID=externalId" },
      fixed: { "X-S4-Status": "resolved", ...SOURCE },
    },
  },
});

export const VONAGE: App = plainApp({
  ...{ title: "Vonage", credential: "vonageApi", secret: "vonage", base: "https://rest.nexmo.com" },
  resource: "sms",
  operation: "send",
  operations: {
    "sms:send": (given) => {
      if (given.choice("type", "text", ["text", "unicode"]) !== given.or("type", "text"))
        throw new NoEquivalent("what kind of message it sends is computed");
      if (given.group("additionalFields").get("ttl") !== undefined)
        throw new NoEquivalent("it says how long a message is worth sending");
      return {
        ...{ method: "POST", path: "/sms/json?api_key={key}&api_secret={secret}", bodyType: "form" },
        ...{ fields: "from to text=message", all: ["additionalFields"], fixed: { type: given.or("type", "text") } },
        list: "answer.messages",
      };
    },
  },
});

export const GOTIFY: App = plainApp({
  ...{ title: "Gotify", credential: "gotifyApi", secret: "gotify" },
  ...{ ownAddress: "gotify", base: ownAddress("gotify") },
  resource: "message",
  operation: "create",
  operations: {
    "message:create": (given) => {
      const kind = given.group("options").get("contentType");
      return {
        ...{ method: "POST", path: "/message", fields: "message", all: ["additionalFields"] },
        ...(kind === undefined ? {} : { fixed: { extras: { "client::display": { contentType: kind } } } }),
      };
    },
  },
});

export const LINE: App = plainApp({
  ...{ title: "LINE Notify", credential: "lineNotifyOAuth2Api", secret: "line", base: "https://notify-api.line.me" },
  resource: "notification",
  operation: "send",
  operations: {
    "notification:send": (given) => {
      const more = given.group("additionalFields");
      for (const name of ["stickerUi", "imageUi"])
        if (more.get(name) !== undefined) throw new NoEquivalent("it sends a picture");
      const silent = more.get("notificationDisabled");
      return {
        ...{ method: "POST", path: "/api/notify", fields: "message", bodyType: "multipart" },
        ...(silent === undefined
          ? {}
          : {
              fixed: {
                notificationDisabled: isExpression(silent) ? computed(`String(${js(silent)})`) : String(silent),
              },
            }),
      };
    },
  },
});

export const PUSHCUT: App = plainApp({
  ...{ title: "Pushcut", credential: "pushcutApi", secret: "pushcut", base: "https://api.pushcut.io/v1" },
  resource: "notification",
  operation: "send",
  operations: {
    "notification:send": { method: "POST", path: "/notifications/:notificationName", all: ["additionalFields"] },
  },
});

export const TWAKE: App = plainApp({
  ...{ title: "Twake", credential: "twakeCloudApi", secret: "twake", base: "https://plugins.twake.app/plugins/n8n" },
  resource: "message",
  operation: "send",
  operations: {
    "message:send": {
      ...{ method: "POST", path: "/actions/message/save", fields: "channel_id=channelId content.formatted=content" },
      fixed: { hidden_data: { allow_delete: "everyone" } },
      more: { additionalFields: "hidden_data.custom_title=senderName! hidden_data.custom_icon=senderIcon!" },
      ...{ wrap: "object", take: "$json.object" },
    },
  },
});

const reference = (group: Given, name: string, type: string): JsonObject | undefined => {
  const id = group.get(name);
  return id === undefined ? undefined : { id, type: `${type}_reference` };
};

/** What an incident has beside its title. */
function incidentOf(given: Given, group: Given): JsonObject {
  const details = group.get("details");
  const priority = reference(group, "priorityId", "priority");
  const policy = reference(group, "escalationPolicyId", "escalation_policy");
  const bridge = given.group("conferenceBridgeUi").group("conferenceBridgeValues");
  const number = bridge.get("conferenceNumber");
  const url = bridge.get("conferenceUrl");
  return {
    ...(details === undefined ? {} : { body: { type: "incident_body", details } }),
    ...(priority === undefined ? {} : { priority }),
    ...(policy === undefined ? {} : { escalation_policy: policy }),
    ...(number === undefined && url === undefined
      ? {}
      : { conference_bridge: { conference_number: number ?? "", conference_url: url ?? "" } }),
  };
}

const ACCEPT = { accept: "application/vnd.pagerduty+json;version=2" };

export const PAGERDUTY: App = plainApp({
  ...{ title: "PagerDuty", credential: "pagerDutyApi", oauth: "pagerDutyOAuth2Api", secret: "pagerduty" },
  base: "https://api.pagerduty.com",
  resource: "incident",
  operation: { incident: "create", incidentNote: "create", logEntry: "get", user: "get" },
  operations: {
    "incident:create": (given) => {
      const more = given.group("additionalFields");
      return {
        ...{ method: "POST", path: "/incidents", headers: { ...ACCEPT, from: given.or("email", "") } },
        fixed: {
          type: "incident",
          ...incidentOf(given, more),
          service: { id: given.need("serviceId"), type: "service_reference" },
        },
        ...{ fields: "title", more: { additionalFields: "urgency! incident_key=incidentKey!" } },
        ...{ wrap: "incident", take: "$json.incident" },
      };
    },
    "incident:update": (given) => ({
      ...{ method: "PUT", path: "/incidents/:incidentId", headers: { ...ACCEPT, from: given.or("email", "") } },
      fixed: { type: "incident", ...incidentOf(given, given.group("updateFields")) },
      more: { updateFields: "title! escalation_level=escalationLevel! urgency! resolution! status!" },
      ...{ wrap: "incident", take: "$json.incident" },
    }),
    "incident:get": { method: "GET", path: "/incidents/:incidentId", headers: ACCEPT, take: "$json.incident" },
    "incidentNote:create": (given) => ({
      ...{ method: "POST", path: "/incidents/:incidentId/notes", fields: "content", wrap: "note" },
      headers: { ...ACCEPT, from: given.or("email", "") },
    }),
  },
});

export const ROCKET_CHAT: App = plainApp({
  ...{ title: "Rocket.Chat", credential: "rocketchatApi", secret: "rocketchat" },
  ...{ ownAddress: "rocketchat", base: `${ownAddress("rocketchat")}/api/v1` },
  resource: "chat",
  operation: "postMessage",
  operations: {
    "chat:postMessage": (given) => {
      const attachments = given.or("attachments", []);
      if (given.flag("jsonParameters") || (Array.isArray(attachments) && attachments.length > 0))
        throw new NoEquivalent("it sends attachments");
      given.skip("attachments");
      return {
        ...{ method: "POST", path: "/chat.postMessage", fields: "channel text~" },
        more: { options: "alias! avatar! emoji!" },
      };
    },
  },
});

export const ZULIP: App = plainApp({
  ...{ title: "Zulip", credential: "zulipApi", secret: "zulip" },
  ...{ ownAddress: "zulip", base: `${ownAddress("zulip")}/api/v1` },
  resource: "message",
  operation: { message: "sendPrivate" },
  operations: {
    "message:sendPrivate": (given) => ({
      ...{ method: "POST", path: "/messages", fields: "content", bodyType: "form" },
      fixed: { type: "private", to: computed(`(${js(given.need("to"))}).join(",")`) },
    }),
    "message:sendStream": {
      ...{ method: "POST", path: "/messages", fields: "to=stream topic content", bodyType: "form" },
      fixed: { type: "stream" },
    },
    "message:get": { method: "GET", path: "/messages/:messageId" },
    "message:delete": { method: "DELETE", path: "/messages/:messageId" },
  },
});

const homeAttributes = (given: Given, name: string): JsonObject => {
  const own = given.list(name, "attributes");
  return Object.fromEntries(
    own.map((attribute) => {
      const key = attribute.need("name");
      if (isExpression(key)) throw new NoEquivalent("the name of an attribute is computed");
      return [String(key), attribute.or("value", "")];
    }),
  );
};

export const HOME_ASSISTANT: App = plainApp({
  ...{ title: "Home Assistant", credential: "homeAssistantApi", secret: "home-assistant" },
  ...{ ownAddress: "home_assistant", base: `${ownAddress("home_assistant")}/api` },
  resource: "config",
  operation: { config: "get", service: "getAll", state: "get", event: "create" },
  operations: {
    "config:get": { method: "GET", path: "/config" },
    "service:call": (given) => ({
      ...{ method: "POST", path: "/services/:domain/:service", fixed: homeAttributes(given, "serviceAttributes") },
      ...{ list: "answer.length === 0 ? [{}] : answer", isList: true },
    }),
    "state:get": { method: "GET", path: "/states/:entityId" },
    "event:create": (given) => ({
      ...{ method: "POST", path: "/events/:eventType", fixed: homeAttributes(given, "eventAttributes") },
    }),
  },
});
