import type { Json } from "@oven/contract";
import { NoEquivalent } from "../../../../importing/no-equivalent.ts";
import type { App } from "../app-steps.ts";
import { computed, isExpression, js } from "../app-values.ts";
import { type PlainOperation, plainApp } from "../plain-app.ts";

/** Services that are asked for one thing, or do one. */

/** The name of a repository as one part of an address. */
const slug = (value: Json): Json =>
  isExpression(value) ? computed(`String(${js(value)}).replaceAll("/", "%2F")`) : String(value).replaceAll("/", "%2F");

const atSlug = (base: string, value: Json, after: string): string => {
  const part = slug(value);
  return isExpression(part) ? `=${base}${part.slice(1)}${after}` : `${base}${String(part)}${after}`;
};

const TRAVIS = { "Travis-API-Version": "3", accept: "application/json" };

export const TRAVIS_CI: App = plainApp({
  ...{ title: "Travis CI", credential: "travisCiApi", secret: "travis-ci", base: "https://api.travis-ci.com" },
  resource: "build",
  operation: "cancel",
  operations: {
    "build:get": { method: "GET", path: "/build/:buildId", headers: TRAVIS, more: { additionalFields: "include!" } },
    "build:cancel": { method: "POST", path: "/build/:buildId/cancel", headers: TRAVIS },
    "build:restart": { method: "POST", path: "/build/:buildId/restart", headers: TRAVIS },
    "build:trigger": (given) => {
      const more = given.group("additionalFields");
      const [message, mode] = [more.get("message"), more.get("mergeMode")];
      return {
        steps: [
          {
            ...{ method: "POST", headers: TRAVIS },
            url: atSlug("https://api.travis-ci.com/repo/", given.need("slug"), "/requests"),
            body: {
              request: {
                branch: given.or("branch", ""),
                ...(message === undefined ? {} : { message }),
                ...(mode === undefined ? {} : { merge_mode: mode }),
              },
            },
          },
        ],
      };
    },
  },
});

const CIRCLE = "https://circleci.com/api/v2/project/";

export const CIRCLE_CI: App = plainApp({
  ...{ title: "CircleCI", credential: "circleCiApi", secret: "circleci", base: "" },
  resource: "pipeline",
  operation: "get",
  operations: {
    "pipeline:get": (given) => {
      const vcs = given.need("vcs");
      const number = given.or("pipelineNumber", 1);
      if (isExpression(vcs) || isExpression(number)) throw new NoEquivalent("which pipeline it gets is computed");
      const url = atSlug(`${CIRCLE}${String(vcs)}/`, given.need("projectSlug"), `/pipeline/${String(number)}`);
      return { steps: [{ method: "GET", url }] };
    },
    "pipeline:trigger": (given) => {
      const vcs = given.need("vcs");
      if (isExpression(vcs)) throw new NoEquivalent("which pipeline it starts is computed");
      const more = given.group("additionalFields");
      const fields = [...["branch", "tag"]].map((name) => [name, more.get(name)] as const);
      const body = Object.fromEntries(fields.filter((field): field is [string, Json] => field[1] !== undefined));
      const url = atSlug(`${CIRCLE}${String(vcs)}/`, given.need("projectSlug"), "/pipeline");
      return { steps: [{ method: "POST", url, body }] };
    },
  },
});

export const NETLIFY: App = plainApp({
  ...{ title: "Netlify", credential: "netlifyApi", secret: "netlify", base: "https://api.netlify.com/api/v1" },
  resource: "deploy",
  operation: { deploy: "getAll", site: "delete" },
  operations: {
    "deploy:create": (given) => {
      const sent = Object.entries(given.group("additionalFields").all()).filter(([name]) => name !== "title");
      return {
        ...{ method: "POST", path: "/sites/:siteId/deploys", fixed: Object.fromEntries(sent) },
        query: "additionalFields.title!",
      };
    },
    "deploy:get": { method: "GET", path: "/sites/:siteId/deploys/:deployId" },
    "deploy:cancel": { method: "POST", path: "/deploys/:deployId/cancel" },
    "site:get": { method: "GET", path: "/sites/:siteId" },
    "site:delete": { method: "DELETE", path: "/sites/:siteId" },
  },
});

export const HARVEST: App = plainApp({
  ...{ title: "Harvest", credential: "harvestApi", oauth: "harvestOAuth2Api", secret: "harvest" },
  base: "https://api.harvestapp.com/v2",
  resource: "task",
  operation: { client: "getAll", timeEntry: "getAll" },
  operations: Object.fromEntries(
    Object.entries<Exclude<PlainOperation, (...given: never[]) => unknown>>({
      "client:create": { method: "POST", path: "/clients", fields: "name", all: ["additionalFields"] },
      "client:get": { method: "GET", path: "/clients/:id" },
      "timeEntry:get": { method: "GET", path: "/time_entries/:id" },
    }).map(([name, operation]): [string, PlainOperation] => [
      name,
      (given) => ({ ...operation, headers: { "Harvest-Account-Id": given.need("accountId", "account") } }),
    ]),
  ),
});

export const MEDIUM: App = plainApp({
  ...{ title: "Medium", credential: "mediumApi", oauth: "mediumOAuth2Api", secret: "medium", base: "" },
  resource: "post",
  operation: "create",
  operations: {
    "post:create": (given, names) => {
      const at = "https://api.medium.com/v1";
      const more = given.group("additionalFields");
      if (more.get("tags") !== undefined) throw new NoEquivalent("its tags are a text with commas");
      const named = ["canonicalUrl", "publishStatus", "license", "notifyFollowers"].map(
        (name) => [name, more.get(name)] as const,
      );
      const body = {
        ...{ tags: [], title: given.or("title", ""), contentFormat: given.or("contentFormat", "") },
        content: given.or("content", ""),
        ...Object.fromEntries(
          named.filter((field): field is [string, Json] => field[1] !== undefined && field[1] !== false),
        ),
      };
      const data = { code: "return $json.data;" };
      if (given.flag("publication")) {
        const id = given.need("publicationId", "publication");
        const url = isExpression(id)
          ? `=${at}/publications/${id.slice(1)}/posts`
          : `${at}/publications/${encodeURIComponent(String(id))}/posts`;
        return { steps: [{ what: "request", method: "POST", url, body }, data] };
      }
      given.skip("publicationId");
      const author = `$(${JSON.stringify(names("author"))}).item.json.data.id`;
      // What the post is made of is computed before the author is asked for, for it reads the item that comes in.
      const written = `$(${JSON.stringify(names("post"))}).item.json`;
      return {
        steps: [
          { what: "post", code: `return ${js(body)};` },
          { what: "author", method: "GET", url: `${at}/me` },
          { what: "request", method: "POST", url: `=${at}/users/{{ ${author} }}/posts`, body: `={{ ${written} }}` },
          data,
        ],
      };
    },
  },
});

export const NASA: App = plainApp({
  ...{ title: "NASA", credential: "nasaApi", secret: "nasa", base: "https://api.nasa.gov" },
  resource: "astronomyPictureOfTheDay",
  operation: "get",
  operations: {
    "astronomyPictureOfTheDay:get": (given) => {
      if (given.flag("download", true)) throw new NoEquivalent("it downloads a file");
      const date = given.group("additionalFields").get("date");
      const day = date === undefined ? "DateTime.now()" : `DateTime.fromISO(String(${js(date)}))`;
      return {
        ...{ method: "GET", path: "/planetary/apod?api_key={key}" },
        queryFixed: { date: computed(`${day}.toISODate()`) },
      };
    },
  },
});

export const OPEN_THESAURUS: App = plainApp({
  ...{ title: "OpenThesaurus", credential: "none", secret: "none", base: "https://www.openthesaurus.de" },
  operation: "getSynonyms",
  operations: {
    ":getSynonyms": (given) => {
      if (given.group("options").keys().length > 0) throw new NoEquivalent("it looks for more than synonyms");
      return {
        ...{ method: "GET", path: "/synonyme/search", query: "q=text", queryFixed: { format: "application/json" } },
        list: "answer.synsets",
      };
    },
  },
});

const joined = (value: Json): string => computed(`(${js(value)}).join(",")`);

export const COIN_GECKO: App = plainApp({
  ...{ title: "CoinGecko", credential: "none", secret: "none", base: "https://api.coingecko.com/api/v3" },
  resource: "coin",
  operation: "getAll",
  operations: {
    "coin:price": (given) => {
      given.choice("searchBy", "coinId", ["coinId"]);
      const options = given.group("options");
      const named = ["include_24hr_change", "include_24hr_vol", "include_last_updated_at", "include_market_cap"];
      const flags = Object.fromEntries(
        named
          .map((name) => [name, options.get(name)] as const)
          .filter((flag): flag is [string, Json] => flag[1] !== undefined),
      );
      return {
        ...{ method: "GET", path: "/simple/price" },
        queryFixed: {
          ...flags,
          ids: joined(given.need("baseCurrencies", "coins")),
          vs_currencies: joined(given.need("quoteCurrencies", "currencies")),
        },
      };
    },
  },
});

export const LINGVANEX: App = plainApp({
  ...{ title: "LingvaNex", credential: "lingvaNexApi", secret: "lingvanex" },
  base: "https://api-b2b.backenster.com/b1/api/v3",
  operation: "translate",
  operations: {
    ":translate": (given) => ({
      ...{ method: "POST", path: "/translate" },
      fixed: {
        ...{ data: given.need("text"), to: given.need("translateTo"), platform: "api" },
        ...given.group("options").all(),
      },
      take: '((answer) => {\n  if (answer.err !== null) throw new Error("LingvaNex: " + String(answer.err));\n  return answer;\n})($json)',
    }),
  },
});

export const DISQUS: App = plainApp({
  ...{ title: "Disqus", credential: "disqusApi", secret: "disqus", base: "https://disqus.com/api/3.0" },
  resource: "forum",
  operation: "get",
  operations: {
    "forum:get": {
      ...{ method: "GET", path: "/forums/details.json?api_key={key}", query: "forum=id", all: ["additionalFields"] },
      take: "$json.response",
    },
  },
});

export const DRIFT: App = plainApp({
  ...{ title: "Drift", credential: "driftApi", oauth: "driftOAuth2Api", secret: "drift", base: "https://driftapi.com" },
  resource: "contact",
  operation: "create",
  operations: {
    "contact:create": {
      ...{ method: "POST", path: "/contacts", fields: "email", more: { additionalFields: "name! phone!" } },
      ...{ wrap: "attributes", take: "$json.data" },
    },
    "contact:get": { method: "GET", path: "/contacts/:contactId", take: "$json.data" },
  },
});

const RAINDROP_TAGS = (value: Json): string => computed(`String(${js(value)}).split(",").map((tag) => tag.trim())`);

export const RAINDROP: App = plainApp({
  ...{
    title: "Raindrop",
    credential: "raindropOAuth2Api",
    secret: "raindrop",
    base: "https://api.raindrop.io/rest/v1",
  },
  resource: "collection",
  operation: { bookmark: "get", collection: "get" },
  operations: {
    "bookmark:create": (given) => {
      const more = given.group("additionalFields");
      const [parse, tags] = [more.get("pleaseParse"), more.get("tags")];
      const rest = Object.entries(more.all()).filter(([name]) => name !== "pleaseParse" && name !== "tags");
      if (isExpression(parse ?? false)) throw new NoEquivalent("whether it reads the page is computed");
      return {
        ...{ method: "POST", path: "/raindrop", fields: "link collection.$id=collectionId", take: "$json.item" },
        fixed: {
          ...Object.fromEntries(rest),
          ...(parse === true ? { pleaseParse: {} } : {}),
          ...(tags === undefined ? {} : { tags: RAINDROP_TAGS(tags) }),
        },
      };
    },
    "bookmark:get": { method: "GET", path: "/raindrop/:bookmarkId", take: "$json.item" },
    "bookmark:delete": { method: "DELETE", path: "/raindrop/:bookmarkId" },
    "collection:create": {
      ...{ method: "POST", path: "/collection", fields: "title", take: "$json.item" },
      more: { additionalFields: "public view" },
    },
    "collection:get": { method: "GET", path: "/collection/:collectionId", take: "$json.item" },
    "collection:delete": { method: "DELETE", path: "/collection/:collectionId" },
  },
});

/** @throws NoEquivalent for buttons and files */
export const TWIST: App = plainApp({
  ...{ title: "Twist", credential: "twistOAuth2Api", secret: "twist", base: "https://api.twist.com/api/v3" },
  resource: "messageConversation",
  operation: { channel: "create", messageConversation: "create" },
  operations: {
    "channel:create": {
      ...{ method: "POST", path: "/channels/add", fields: "workspace_id=workspaceId name", all: ["additionalFields"] },
    },
    "channel:update": { method: "POST", path: "/channels/update", fields: "id=channelId", all: ["updateFields"] },
    "messageConversation:create": (given) => {
      const more = given.group("additionalFields");
      for (const name of ["binaryProperties", "direct_mentions"])
        if (more.get(name) !== undefined) throw new NoEquivalent(`it sends ${name}`);
      const actions = more.group("actionsUi").get("actionValues");
      const rest = Object.entries(more.all()).filter(([name]) => name !== "actionsUi");
      return {
        ...{ method: "POST", path: "/conversation_messages/add" },
        fields: "conversation_id=conversationId workspace_id=workspaceId content",
        fixed: { ...Object.fromEntries(rest), ...(actions === undefined ? {} : { actions }) },
      };
    },
  },
});
