import type { JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { fieldsOf, operationOf } from "./app-fields.ts";
import { type Given, limitOf } from "./app-given.ts";
import { type App, type AppPlan, listOf } from "./app-steps.ts";
import { isExpression, url } from "./app-values.ts";

/** Services that answer one question. */
export const OPEN_WEATHER_MAP: App = {
  title: "OpenWeatherMap",
  credential: "openWeatherMapApi",
  secret: "openweathermap",
  plan: (given) => {
    const operation = given.choice("operation", "currentWeather", ["currentWeather", "5DayForecast"]);
    const query: JsonObject = { units: given.or("format", "metric") };
    const by = given.choice("locationSelection", "cityName", ["cityName", "cityId", "coordinates", "zipCode"]);
    if (by === "cityName") query.q = given.need("cityName", "city");
    if (by === "cityId") query.id = given.need("cityId", "city");
    if (by === "zipCode") query.zip = given.need("zipCode", "ZIP code");
    if (by === "coordinates") {
      query.lat = given.need("latitude");
      query.lon = given.need("longitude");
    }
    const language = given.get("language");
    if (language !== undefined) query.lang = language;
    const what = operation === "currentWeather" ? "weather" : "forecast";
    const url = `https://api.openweathermap.org/data/2.5/${what}?APPID={key}`;
    return { steps: [{ method: "GET", url, query }] };
  },
};

export const HUNTER: App = {
  title: "Hunter",
  credential: "hunterApi",
  secret: "hunter",
  plan: (given) => {
    const operation = given.choice("operation", "domainSearch", ["domainSearch", "emailFinder", "emailVerifier"]);
    if (operation === "domainSearch") throw new NoEquivalent("there is no node here that does domainSearch");
    const query: JsonObject =
      operation === "emailVerifier"
        ? { email: given.need("email") }
        : { first_name: given.need("firstname"), last_name: given.need("lastname"), domain: given.need("domain") };
    const what = operation === "emailVerifier" ? "email-verifier" : "email-finder";
    const url = `https://api.hunter.io/v2/${what}?api_key={key}`;
    return { steps: [{ what: "request", method: "GET", url, query }, { code: "return $json.data;" }] };
  },
};

const PERSON = {
  ...{ givenName: "given_name", familyName: "family_name", ipAddress: "ip_address", location: "location" },
  ...{ company: "company", companyDomain: "company_domain", linkedIn: "linkedin", twitter: "twitter" },
  facebook: "facebook",
};
const COMPANY = { companyName: "company_name", linkedin: "linkedin", twitter: "twitter", facebook: "facebook" };

export const CLEARBIT: App = {
  title: "Clearbit",
  credential: "clearbitApi",
  secret: "clearbit",
  plan: (given) =>
    operationOf(given, CLEARBIT_OPERATIONS, {
      ...{ resource: "company", operation: { company: "enrich", person: "enrich" } },
    })(given),
};

const CLEARBIT_OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "person:enrich": (given) => {
    const query = { email: given.need("email"), ...fieldsOf(given.group("additionalFields"), PERSON) };
    return { steps: [{ method: "GET", url: "https://person-stream.clearbit.com/v2/people/find", query }] };
  },
  "company:enrich": (given) => {
    const query = { domain: given.need("domain"), ...fieldsOf(given.group("additionalFields"), COMPANY) };
    return { steps: [{ method: "GET", url: "https://company-stream.clearbit.com/v2/companies/find", query }] };
  },
};

const HN = "https://hn.algolia.com/api/v1";

export const HACKER_NEWS: App = {
  title: "Hacker News",
  credential: "none",
  secret: "none",
  plan: (given) =>
    operationOf(given, NEWS, {
      ...{ resource: "article", operation: { all: "getAll", article: "get", user: "get" } },
    })(given),
};

const NEWS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "all:getAll": (given) => {
    const fields = given.group("additionalFields");
    const tags = fields.or("tags", []);
    if (!Array.isArray(tags) || tags.some(isExpression)) throw new NoEquivalent("its tags are computed");
    const count = limitOf(given, { limit: 100 });
    if (count === undefined || count > 1_000) throw new NoEquivalent("it asks for several pages");
    const keyword = fields.get("keyword");
    const query = { ...(keyword === undefined ? {} : { query: keyword }), tags: tags.join(","), hitsPerPage: count };
    return { steps: [{ what: "request", method: "GET", url: `${HN}/search`, query }, listOf("answer.hits")] };
  },
  "article:get": (given) => {
    const isWhole = given.group("additionalFields").flag("includeComments");
    const at = url`https://hn.algolia.com/api/v1/items/${given.need("articleId", "article")}`;
    if (isWhole) return { steps: [{ method: "GET", url: at }] };
    const code = "const { children: _children, ...article } = $json;\nreturn article;";
    return { steps: [{ what: "request", method: "GET", url: at }, { code }] };
  },
  "user:get": (given) => ({
    steps: [{ method: "GET", url: url`https://hn.algolia.com/api/v1/users/${given.need("username")}` }],
  }),
};
